#include "config/protocols/loop_guard.h"

#include <fmt/format.h>

#include "config/choices.h"
#include "config/port/encapsulations.h"
#include "config/port/formats.h"

namespace sluice::config {

void check_loop_guard(const Value& file, Report& report) {
    for (const Value& port : file["ports"].items) {
        const Value& action = port["loop_guard"]["action"];
        const Value& recovery = port["loop_guard"]["recovery"];
        if (!action.valid) continue;
        if (action.text != "shut" && recovery.written && recovery.valid &&
            !recovery.is_of_defaults()) {
            report.add(recovery.at, recovery.path,
                       fmt::format("has no meaning with action: {}", action.text),
                       "leave it out, or write action: shut");
        }
        const auto format = format_named(file, port["format"].text);
        if (action.text == "off" || !format || *format == presets[0]) continue;
        report.add(
            action.at, action.path,
            fmt::format("a port with frames of format {} sends no probes", port["format"].text),
            "write off, or format: standard");
    }
}

// `defaults` do not apply to a port with `vnis`: it has no VLAN of its own, so it sends no probes.
LoopGuardConfig loop_guard_config(const Value& port) {
    if (has_vnis(port)) return {};
    const Value& guard = port["loop_guard"];
    return {.action = choice<LoopGuardAction>(guard["action"]),
            .recovery = Nanos(guard["recovery"].number)};
}

}  // namespace sluice::config
