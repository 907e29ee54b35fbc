#include "tools/sim/scenario/rounds.h"

#include <algorithm>
#include <utility>

namespace sluice::sim {

void Incast::arrived(const Packet& packet, std::size_t /*from*/, std::size_t /*to*/, Picos now) {
    const uint64_t round = packet.serial / message_;
    if (round < given_up_) return;
    const auto frames = arrived_.try_emplace(round).first;
    if (++frames->second < message_ * pairs_) {
        if (arrived_.size() <= open) return;
        given_up_ = arrived_.begin()->first + 1;
        arrived_.erase(arrived_.begin());
        return;
    }
    arrived_.erase(frames);
    finish(now - start_ - period_ * static_cast<int64_t>(round));
}

AllReduce::AllReduce(std::vector<Member> ring, Bytes chunk, uint64_t frames, uint64_t rounds,
                     Picos start)
    : ring_(std::move(ring)),
      progress_(ring_.size()),
      chunk_(chunk),
      frames_(frames),
      rounds_left_(rounds - 1),
      begun_(start) {
    for (const Member& member : ring_) {
        member.host->sender.source(member.source).post({.due = start, .left = chunk});
    }
}

void AllReduce::arrived(const Packet& packet, std::size_t /*from*/, std::size_t to, Picos now) {
    const auto member = std::ranges::find(ring_, to, &Member::number);
    if (member == ring_.end()) return;
    Progress& progress = progress_[static_cast<std::size_t>(member - ring_.begin())];
    // Frames of a later chunk do not count if a frame of an earlier one was lost.
    if (packet.serial / frames_ != progress.chunks || ++progress.frames < frames_) return;
    progress.frames = 0;
    if (++progress.chunks % steps() != 0) {
        member->host->post(member->source, {.due = now, .left = chunk_});
    } else if (++done_ == ring_.size()) {
        finish(now - begun_);
        if (rounds_left_ > 0) begin_round(now);
    }
}

void AllReduce::begin_round(Picos now) {
    --rounds_left_;
    begun_ = now;
    done_ = 0;
    for (const Member& member : ring_) {
        member.host->post(member.source, {.due = now, .left = chunk_});
    }
}

}  // namespace sluice::sim
