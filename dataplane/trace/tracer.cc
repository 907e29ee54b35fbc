#include "dataplane/trace/tracer.h"

#include <algorithm>
#include <cassert>

namespace sluice {
namespace {

uint8_t ecn_of(const Frame& frame) {
    if (!frame.has_network()) return 0;
    const uint8_t* const network = frame.data + frame.network_offset;
    const bool version_4 = network[0] >> 4 == 4;
    return (version_4 ? network[1] : network[1] >> 4) & 0x3;
}

}  // namespace

void Tracer::attend(TraceBoard& board) {
    const uint32_t order = board.order();
    if (order != order_) {
        board_ = &board;
        order_ = order;
        on_ = TraceBoard::is_on(order);
        waits_for_others_ = on_;
        wanted_ = 0;
        left_ = on_ ? board.filter().frames : 0;
        leaving_count_ = 0;
        board.see(self_, order);
    }
    if (waits_for_others_ && board.is_seen_by_all(order)) {
        waits_for_others_ = false;
        wanted_ = board.filter().ports;
    }
}

// --- a received burst ---

bool Tracer::fits(const Frame& frame, const Arrival& arrival) const {
    const TraceFilter& filter = board_->filter();
    const auto is = [](const auto& wanted, bool known, auto value) {
        return !wanted || (known && *wanted == value);
    };
    const bool classified = arrival.why == Drop::none;
    return is(filter.destination, arrival.parsed, arrival.headers.destination) &&
           is(filter.source, arrival.parsed, arrival.headers.source) &&
           is(filter.vlan, classified, frame.vlan) &&
           is(filter.priority, classified, frame.priority);
}

bool Tracer::choose(std::size_t n, const Frame& frame, const Arrival& arrival) {
    if (added_ == left_ || !fits(frame, arrival)) return false;
    TracedFrame& traced = own().place(added_);
    traced = {.received_at = now_,
              .input = arrival.input,
              .port = arrival.port,
              .length = frame.length,
              .parsed = arrival.parsed,
              .headers = arrival.headers,
              .why = arrival.why,
              .classified = arrival.why == Drop::none};
    const auto kept = std::min<std::size_t>(frame.length, traced.octets.size());
    std::copy_n(frame.data, kept, traced.octets.begin());
    if (traced.classified) {
        traced.vlan = frame.vlan;
        traced.priority = frame.priority;
        traced.rule = arrival.rule;
    }
    chosen_[n] = static_cast<uint8_t>(added_++);
    return true;
}

bool Tracer::select(std::size_t n) {
    selected_ = chosen_[n] == nobody ? nullptr : &own().place(chosen_[n]);
    return selected_ != nullptr;
}

void Tracer::looked_up(Fdb::PackedEntry source, Fdb::PackedEntry destination, bool is_member) {
    selected_->looked_up = true;
    selected_->source = TracedAddress::of(source);
    selected_->destination = TracedAddress::of(destination);
    selected_->is_member = is_member;
}

void Tracer::forwarded(Drop why, PortSet outputs) {
    selected_->why = why;
    selected_->outputs = outputs;
}

void Tracer::too_long(PortSet outputs) {
    if (selected_ != nullptr) selected_->too_long |= outputs;
}

void Tracer::admitted(const Frame& frame, const Admitted& admitted) {
    const auto& [egress, credit] = admitted.holds;
    const TimeHistory& pauses = egress.gate().history(frame.priority);
    const CopyNotes notes{.output = admitted.output,
                          .mirrored = (selected_->outputs & only(admitted.output)) == 0,
                          .priority = frame.priority,
                          .vlan = static_cast<VlanId>(frame.vlan & 0x0FFF),
                          .edit = edit_of(frame),
                          .way = admitted.way,
                          .why = admitted.why,
                          .ecn = ecn_of(frame),
                          .found = admitted.found,
                          .ahead_in_egress = admitted.ahead_in_egress,
                          .paused = pauses.lasts(now_),
                          .paused_before = pauses.total(now_),
                          .withheld = credit.withholds(frame.priority),
                          .blocked_before = credit.blocked(frame.priority),
                          .ended_at = now_};
    assert(selected_ != nullptr);
    if (selected_->copies == 0) selected_->first_copy = own().copies_count();
    ++(own().add_copy(frame.handle, notes) ? selected_->copies : selected_->untraced_copies);
}

void Tracer::end_burst() {
    selected_ = nullptr;
    assert(added_ <= left_);
    left_ -= added_;
    if (left_ == 0) wanted_ = 0;
    own().publish_frames(added_);
}

// --- after the burst ---

Tracer::Chosen Tracer::find(const void* handle, PortSet outputs) {
    for (TraceArea& area : board_->areas()) {
        if (TracedCopy* const copy = area.find(handle, outputs)) return {0, &area, copy};
    }
    return {0, nullptr, nullptr};
}

void Tracer::leaves_voq(PortIndex output, std::span<const Frame> frames) {
    for (const Frame& frame : frames) {
        TracedCopy* const copy = own().find(frame.handle, only(output));
        if (copy == nullptr) continue;
        CopyNotes& notes = copy->notes;
        notes.left_voq = true;
        notes.left_voq_at = now_;
        notes.marked = ecn_of(frame) != notes.ecn;
    }
}

void Tracer::chose(PortIndex output, std::span<const Frame> burst) {
    leaving_count_ = 0;
    for (std::size_t n = 0; n < burst.size(); ++n) {
        Chosen found = find(burst[n].handle, only(output));
        if (found.copy == nullptr) continue;
        found.place = n;
        assert(leaving_count_ < leaving_.size());
        leaving_[leaving_count_++] = found;
    }
}

void Tracer::sent(std::span<const Frame> burst, std::size_t sent, const Holds& holds) {
    for (const auto& [place, area, copy] : std::span(leaving_).first(leaving_count_)) {
        const Frame& frame = burst[place];
        CopyNotes& notes = copy->notes;
        if (place < sent) {
            notes.length = frame.length;
            notes.paused_in_all =
                holds.egress.gate().history(notes.priority).total(now_) - notes.paused_before;
            notes.blocked_in_all = holds.credit.blocked(notes.priority) - notes.blocked_before;
            close(*copy, Drop::none);
        } else {
            ++notes.refused_by_device;
            if (copy->handle.load(std::memory_order_relaxed) != frame.handle) {
                area->rename(*copy, frame.handle);
            }
        }
    }
    leaving_count_ = 0;
}

void Tracer::dropped(PortSet outputs, std::span<const Frame> frames, Drop why) {
    for (const Frame& frame : frames) {
        if (TracedCopy* const copy = find(frame.handle, outputs).copy) close(*copy, why);
    }
}

void Tracer::close(TracedCopy& copy, Drop why) {
    assert(!copy.closed.load(std::memory_order_relaxed) && "a copy ends once");
    copy.notes.why = why;
    copy.notes.ended_at = now_;
    copy.closed.store(true, std::memory_order_release);
}

}  // namespace sluice
