#include "dataplane/ipfix/queue_sampler.h"

#include <algorithm>
#include <cassert>
#include <cstring>

namespace sluice {

QueueSampler::QueueSampler(Nanos period, Wanted wanted, std::size_t inputs, uint32_t samples)
    : period_(period),
      wanted_(std::move(wanted)),
      words_(1 + wanted_.queues.size() * words_of_queue + wanted_.groups.size() * words_of_group),
      places_(std::clamp<uint32_t>(samples, 1, most_samples)),
      memory_(std::size_t{places_} * words_),
      seen_(inputs * wanted_.queues.size()),
      queues_(wanted_.queues.size()),
      group_words_(wanted_.groups.size() * words_of_group),
      refused_(inputs) {}

bool QueueSampler::begin(Nanos now) {
    assert(now >= last_);
    next_ = next_ + period_ > now ? next_ + period_ : now + period_;
    if (last_.count() >= 0) longest_.raise_to(static_cast<uint64_t>((now - last_).count()));
    last_ = now;
    now_ = now;
    samples_.add(1);
    if (ring_.not_taken() < places_) return true;
    lost_.add(1);
    return false;
}

void QueueSampler::see(InputIndex input, std::size_t queue, uint64_t dropped, uint64_t marked) {
    assert(queue < queues_.size() && input.number * queues_.size() < seen_.size());
    Seen& before = seen_[input.number * queues_.size() + queue];
    QueueCounts& sums = queues_[queue];
    assert(dropped >= before.dropped && marked >= before.marked);
    sums.dropped += dropped - before.dropped;
    sums.marked += marked - before.marked;
    before = {dropped, marked};
}

// Sets the full count of frames that left: the number nearest to the previous count whose low 32
// bits are `left`.
void QueueSampler::see(std::size_t queue, uint32_t left, uint64_t octets) {
    QueueCounts& counts = queues_[queue];
    const auto more = static_cast<int32_t>(left - static_cast<uint32_t>(counts.left));
    counts.left += static_cast<uint64_t>(int64_t{more});
    counts.octets = octets;
}

void QueueSampler::see(std::size_t group, GroupCounts counts) {
    assert((group + 1) * words_of_group <= group_words_.size());
    group_words_[group * words_of_group] = counts.octets;
    group_words_[group * words_of_group + 1] = counts.headroom;
}

void QueueSampler::end() {
    uint64_t* at = sample(place_);
    *at++ = static_cast<uint64_t>(now_.count());
    if (!queues_.empty()) std::memcpy(at, queues_.data(), queues_.size() * sizeof(QueueCounts));
    at += queues_.size() * words_of_queue;
    std::ranges::copy(group_words_, at);
    [[maybe_unused]] const bool has_place = ring_.push(place_);
    assert(has_place && "`begin` saw room for it");
    place_ = place_ + 1 == places_ ? 0 : place_ + 1;
}

}  // namespace sluice
