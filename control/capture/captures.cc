#include "control/capture/captures.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "control/capture/capture.h"

namespace sluice::control {

tl::expected<std::unique_ptr<Feed>, std::string> Captures::begin(CaptureOptions options,
                                                                 OnEnd ended) {
    free_unused();
    const auto slot =
        std::ranges::find_if(slots_, [](const Slot& each) { return each.attachments.empty(); });
    if (slot == slots_.end()) {
        return tl::unexpected(
            fmt::format("capture: {} are already running; end one of them", most));
    }
    CaptureRing::Wanted wanted = options.wanted;
    slot->ports = wanted.received | wanted.sent | wanted.dropped;
    if (options.filter.is_set()) wanted.longest = UINT16_MAX;
    for (std::size_t worker = 0; worker < dataplane_.worker_count(); ++worker) {
        CapturePoints& points = dataplane_.capture_points(static_cast<WorkerIndex>(worker));
        Attachment& attached =
            slot->attachments.emplace_back(std::make_unique<CaptureRing>(wanted));
        points.attach(*attached.ring);  // never fails: a worker has a place for each slot
        attached.change = points.last_change();
    }
    return std::make_unique<Capture>(*this, *slot, std::move(options), std::move(ended));
}

void Captures::free_unused() {
    for (Slot& slot : slots_) {
        if (slot.ended && is_adopted(slot)) slot = {};
    }
}

bool Captures::is_adopted(const Slot& slot) const {
    for (std::size_t worker = 0; worker < slot.attachments.size(); ++worker) {
        const CapturePoints& points = dataplane_.capture_points(static_cast<WorkerIndex>(worker));
        if (!points.has_adopted(slot.attachments[worker].change)) return false;
    }
    return true;
}

void Captures::stop_on(PortSet ports) {
    for (Slot& slot : slots_) {
        const bool is_on = !slot.attachments.empty() && !slot.stopped && !slot.ended;
        if (!is_on || (slot.ports & ports) == 0) continue;
        detach(slot);
        slot.stopped = true;
    }
}

void Captures::detach(Slot& slot) {
    for (std::size_t worker = 0; worker < slot.attachments.size(); ++worker) {
        Attachment& attached = slot.attachments[worker];
        attached.change =
            dataplane_.capture_points(static_cast<WorkerIndex>(worker)).detach(*attached.ring);
    }
}

void Captures::end(Slot& slot) {
    if (!slot.stopped) detach(slot);
    slot.ended = true;
    free_unused();
}

}  // namespace sluice::control
