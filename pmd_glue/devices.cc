#include "pmd_glue/devices.h"

#include <algorithm>
#include <utility>

namespace sluice::pmd {

void Devices::use(const Ports& ports, const Switch& dataplane) {
    ports_ = ports;
    inputs_ = writable_ = 0;
    for (PortIndex port = 0; port < dataplane.port_count(); ++port) {
        if (ports[port] == nullptr) continue;
        writable_ |= only(port);
        inputs_ |= dataplane.lanes_of(port);
    }
}

bool Devices::send(PortIndex port, std::span<const uint8_t> octets) {
    Port& to = *ports_[port];
    if (to.goes_by_socket(octets)) return to.send_by_socket(octets);
    Frame& frame = spare_[port];
    if (frame.handle != nullptr && frame.length != octets.size()) {
        free(std::exchange(frame, {}));
    }
    const std::span<Frame> one(&frame, 1);
    if (frame.handle == nullptr && !pool_.allocate(one, static_cast<uint16_t>(octets.size()))) {
        return false;
    }
    std::ranges::copy(octets, frame.data);
    if (!to.transmit_made(frame)) return false;
    frame = {};
    return true;
}

void Devices::free_spares() {
    for (Frame& frame : spare_) {
        if (frame.handle != nullptr) free(std::exchange(frame, {}));
    }
}

void Devices::free(const Frame& frame) {
    void* handle = frame.handle;
    pool_.free({&handle, 1});
}

}  // namespace sluice::pmd
