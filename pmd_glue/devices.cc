#include "pmd_glue/devices.h"

#include <algorithm>
#include <utility>

#include "dataplane/retry/retries.h"

namespace sluice::pmd {

void Devices::use(const Ports& ports, const Switch& dataplane) {
    ports_ = ports;
    tunnels_.use(ports);
    with_tunnels_ = tunnels_.ports();
    inputs_ = writable_ = 0;
    flushed_ = tunnels_.to_many();
    with_retry_ = dataplane.retries().ports();
    for (PortIndex port = 0; port < dataplane.port_count(); ++port) {
        if (ports[port] == nullptr) continue;
        if (ports[port]->sends_at_flush()) flushed_ |= only(port);
        if (ports[port]->tunnel_end() != nullptr && !tunnels_.is_tunnel(port)) continue;
        writable_ |= only(port);
        inputs_ |= dataplane.lanes_of(port);
    }
}

bool Devices::send(PortIndex port, std::span<const uint8_t> octets) {
    const bool tunnelled = tunnels_.is_tunnel(port);
    if ((tunnels_.to_many() & only(port)) != 0) return send_to_many(port, octets);
    PortBursts& to = tunnelled ? tunnels_.underlay(port) : *ports_[port];
    if (!tunnelled && to.goes_by_socket(octets)) return to.send_by_socket(octets);
    const std::size_t in_front = tunnelled ? tunnels_.outer_octets(port) : 0;
    const std::size_t length = in_front + octets.size();
    if (!has_spare(port, static_cast<uint16_t>(length))) return false;
    Frame& frame = spare_[port];
    std::ranges::copy(octets, frame.data + in_front);
    if (tunnelled && !tunnels_.wrap_generated(port, frame)) return false;
    if (!to.transmit_generated(frame)) return false;
    spend_spare(port);
    return true;
}

bool Devices::send_in_order(PortIndex port, std::span<const uint8_t> octets, Priority priority) {
    const auto length = static_cast<uint16_t>(octets.size());
    if (!has_spare(port, length)) {
        // A call without frames resets gives_up(): the pool is empty, and the device refused no
        // frame.
        transmit(port, {});
        return false;
    }
    std::ranges::copy(octets, spare_[port].data);
    spare_[port].priority = priority;
    if (transmit(port, {&spare_[port], 1}) == 0) return false;
    spend_spare(port);
    return true;
}

void Devices::spend_spare(PortIndex port) {
    const uint16_t length = spare_[port].length;
    spare_[port] = {};
    if ((with_retry_ & only(port)) != 0) has_spare(port, length);
}

bool Devices::has_spare(PortIndex port, uint16_t length) {
    Frame& frame = spare_[port];
    if (frame.handle != nullptr && frame.length == length) return true;
    if (frame.handle != nullptr) free(std::exchange(frame, {}));
    return pool_.allocate({&frame, 1}, length);
}

// Sends a generated frame in turn with the tunnel's data: the frame does not overtake the data, as
// generated frames of other ports may.
bool Devices::send_to_many(PortIndex port, std::span<const uint8_t> octets) {
    constexpr Priority highest = max_priorities - 1;
    std::array<Frame, 1> one;
    if (!pool_.allocate(one, static_cast<uint16_t>(octets.size()))) return false;
    std::ranges::copy(octets, one[0].data);
    one[0].priority = highest;
    if (tunnels_.transmit(port, one) == 1) return true;
    free(one[0]);
    return false;
}

void Devices::free_own() {
    tunnels_.free_kept();
    for (Frame& frame : spare_) {
        if (frame.handle != nullptr) free(std::exchange(frame, {}));
    }
}

void Devices::free(const Frame& frame) {
    void* handle = frame.handle;
    pool_.free({&handle, 1});
}

}  // namespace sluice::pmd
