#include "config/port/set_aside.h"

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <string_view>

#include "config/port/device_words.h"
#include "config/port/flow_control.h"
#include "dataplane/types/limits.h"
#include "dataplane/types/tag.h"

namespace sluice::config {

namespace {

constexpr Bytes frame_overhead{14 + 2 * 4};

}  // namespace

Bytes largest_frame(const Value& port) { return Bytes(port["mtu"].number) + frame_overhead; }

bool needs_are_known(const Value& port, const Value& buffer) {
    const Value& pfc = port["pfc"];
    const std::initializer_list<const Value*> needs = {&port["speed"],      &port["mtu"],
                                                       &pfc["cable"],       &pfc["response"],
                                                       &pfc["relay_delay"], &buffer["cell"]};
    return std::all_of(needs.begin(), needs.end(), [](const Value* need) { return need->valid; });
}

HeadroomNeeds headroom_needs(const Value& port, const Value& buffer) {
    const Bytes cell(buffer["cell"].number);
    if (pauses_by_rings(port)) {
        const Bytes longest = whole_cells(largest_frame(port) + Bytes(tag_octets), cell);
        return {
            .cable_millimetres = 0, .mtu = longest * int64_t{2 * max_burst}, .port_mtu = Bytes(0)};
    }
    const HeadroomNeeds link{.speed = BitsPerSecond(port["speed"].number),
                             .cable_millimetres = port["pfc"]["cable"].number,
                             .mtu = largest_frame(port),
                             .port_mtu = largest_frame(port),
                             .response = Nanos(port["pfc"]["response"].number),
                             .relay_delay = Nanos(port["pfc"]["relay_delay"].number)};
    return in_cells(link, cell);
}

Bytes headroom(const Value& port, const Value& buffer) {
    const Value& written = port["pfc"]["headroom"];
    return written.written ? Bytes(written.number) : headroom_for(headroom_needs(port, buffer));
}

Nanos obeyed_within(const Value& port) {
    const Value& pfc = port["pfc"];
    const Nanos frames = transmission_time((largest_frame(port) + wire_overhead) * int64_t{2},
                                           BitsPerSecond(port["speed"].number));
    const Nanos cable(2 * cable_picoseconds(pfc["cable"].number) / 1000);
    return frames + cable + Nanos(pfc["response"].number + 2 * pfc["relay_delay"].number);
}

Nanos obedience_patience(const Value& port) {
    constexpr Nanos of_transmit_ring{1'000'000};
    constexpr Nanos of_scheduler{50'000'000};
    const DeviceTraits* const traits = traits_of_device(port["device"].text);
    const bool is_interface = traits != nullptr && traits->is_kernel_interface();
    return is_interface ? of_scheduler : of_transmit_ring;
}

bool goes_by_credit(const Value& port) { return port["flow_control"].text == "credit"; }

Bytes credit_quantum(const Value& port) {
    const Value& written = port["credit"]["quantum"];
    return written.written ? Bytes(written.number) : largest_frame(port) * int64_t{16};
}

// Assumes that the peer's response time is that of this port.
CreditNeeds credit_needs(const Value& port, const Value& buffer) {
    const Value& pfc = port["pfc"];
    return {.loop_picoseconds =
                2 * (cable_picoseconds(pfc["cable"].number) + pfc["response"].number * 1000),
            .speed = BitsPerSecond(port["speed"].number),
            .longest = largest_frame(port),
            .cell = Bytes(buffer["cell"].number),
            .quantum = credit_quantum(port)};
}

Bytes credit_buffer(const Value& port, const Value& buffer) {
    const Value& written = port["credit"]["buffer"];
    return written.written ? Bytes(written.number) : credit_buffer_for(credit_needs(port, buffer));
}

Bytes reserve(const Value& port, const Value& buffer) {
    const Bytes written(port["pfc"]["reserved"].number);
    if (!goes_by_credit(port)) return written;
    return credit_reserve_for(credit_buffer(port, buffer), credit_needs(port, buffer), written,
                              headroom(port, buffer));
}

WrittenLevels written_levels(const Value& port) {
    const auto as_written = [&](std::string_view key) {
        const Value& level = port["pfc"][key];
        return level.written ? std::optional(Bytes(level.number)) : std::nullopt;
    };
    return {.xoff = as_written("xoff"), .xon = as_written("xon")};
}

Levels levels(const Value& port, const Value& buffer) {
    return levels_for(headroom_needs(port, buffer), written_levels(port));
}

Bytes set_aside(const Value& port, const Value& buffer) {
    return set_aside_for(headroom(port, buffer), reserve(port, buffer), largest_frame(port),
                         Bytes(buffer["cell"].number));
}

}  // namespace sluice::config
