#include "control/show/noun_snapshots.h"

#include <array>
#include <cstdint>
#include <string_view>

#include "config/csig_keys.h"

namespace sluice::control {

namespace {

using Counts = CsigPorts::Counts;

template <class Of>
uint64_t sum_of_workers(const View& view, PortIndex port, Of of) {
    uint64_t sum = 0;
    for (WorkerIndex worker = 0; worker < view.dataplane.worker_count(); ++worker) {
        sum += of(view.dataplane.csig(worker).counts(port));
    }
    return sum;
}

Json row_of(const View& view, PortIndex port) {
    constexpr std::array<std::string_view, 4> faults = {"truncated", "order", "macsec", "not_ip"};
    static_assert(faults.size() == csig_faults);
    const PortCsigSettings& own = view.settings.ports[port].csig;
    const bool updates = own.mode == CsigMode::update;
    const CsigOutput& output = view.dataplane.csig(view.dataplane.worker_of(port)).output(port);
    const uint64_t unstripped =
        sum_of_workers(view, port, [](const Counts& counts) { return counts.unstripped.value(); });
    Json row{
        {"port", view.ports[port].name},
        {"mode", config::keys::csig_modes[static_cast<std::size_t>(own.mode)]},
        {"locator", updates ? Json(own.locator) : Json(nullptr)},
        {"available_bps", updates ? Json(output.available()) : Json(nullptr)},
        {"seen", output.seen()},
        {"replaced", output.replaced()},
        {"stripped",
         sum_of_workers(view, port, [](const Counts& counts) { return counts.stripped.value(); })},
        {"shared", output.shared() + unstripped}};
    for (std::size_t why = 0; why < csig_faults; ++why) {
        row[faults[why]] = sum_of_workers(
            view, port, [&](const Counts& counts) { return counts.faults[why].value(); });
    }
    return row;
}

}  // namespace

Json csig_snapshot(const View& view, bool) {
    Json rows = Json::array();
    if (!view.settings.csig.is_on()) return rows;
    for_each_present_port(view, [&](PortIndex port) { rows.push_back(row_of(view, port)); });
    return rows;
}

}  // namespace sluice::control
