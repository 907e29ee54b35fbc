#include "control/capture/captures.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "control/capture/capture.h"

namespace sluice::control {

tl::expected<std::unique_ptr<Feed>, std::string> Captures::begin(CaptureOrder order, Ended ended) {
    sweep();
    const auto place =
        std::ranges::find_if(places_, [](const Place& each) { return each.attachments.empty(); });
    if (place == places_.end()) {
        return tl::unexpected(
            fmt::format("capture: {} are under way already; end one of them", most));
    }
    CaptureRing::Wanted wanted = order.wanted;
    place->ports = wanted.received | wanted.sent | wanted.dropped;
    if (order.filter.looks()) wanted.longest = UINT16_MAX;
    for (std::size_t worker = 0; worker < dataplane_.worker_count(); ++worker) {
        CapturePoints& points = dataplane_.shard(static_cast<WorkerIndex>(worker)).capture_points();
        Attachment& attached =
            place->attachments.emplace_back(std::make_unique<CaptureRing>(wanted));
        points.attach(*attached.ring);  // there is a place at each worker for each of ours
        attached.change = points.last_change();
    }
    return std::make_unique<Capture>(*this, *place, std::move(order), std::move(ended));
}

void Captures::sweep() {
    for (Place& place : places_) {
        if (place.ended && is_adopted(place)) place = {};
    }
}

bool Captures::is_adopted(const Place& place) const {
    for (std::size_t worker = 0; worker < place.attachments.size(); ++worker) {
        const CapturePoints& points =
            dataplane_.shard(static_cast<WorkerIndex>(worker)).capture_points();
        if (!points.has_adopted(place.attachments[worker].change)) return false;
    }
    return true;
}

void Captures::cut(PortSet ports) {
    for (Place& place : places_) {
        const bool is_on = !place.attachments.empty() && !place.cut && !place.ended;
        if (!is_on || (place.ports & ports) == 0) continue;
        detach(place);
        place.cut = true;
    }
}

void Captures::detach(Place& place) {
    for (std::size_t worker = 0; worker < place.attachments.size(); ++worker) {
        Attachment& attached = place.attachments[worker];
        attached.change = dataplane_.shard(static_cast<WorkerIndex>(worker))
                              .capture_points()
                              .detach(*attached.ring);
    }
}

void Captures::end(Place& place) {
    if (!place.cut) detach(place);
    place.ended = true;
    sweep();
}

}  // namespace sluice::control
