#include "dataplane/fabric/crossbar.h"

#include <cassert>
#include <cstddef>
#include <type_traits>
#include <utility>

namespace sluice {
namespace {

// Stores a shard's word, which has one writer and readers on other cores. A relaxed store costs no
// more than a plain one.
template <class Word>
void store_shared(Word& word, std::type_identity_t<Word> value) {
    std::atomic_ref(word).store(value, std::memory_order_relaxed);
}
template <class Word>
Word load_shared(const Word& word) {
    return std::atomic_ref(const_cast<Word&>(word)).load(std::memory_order_relaxed);
}
// Octets of a transfer buffer that are prefetched: ten frames, as many as a grant between workers
// often moves.
constexpr std::size_t prefetched_octets = 256;

// Toggles bits of a word that only the caller writes.
void turn_over(std::atomic<PortSet>& word, PortSet bits) {
    word.store(word.load(std::memory_order_relaxed) ^ bits, std::memory_order_release);
}

}  // namespace

Crossbar::Shard::Shard() {
    for (ByPriority* room : {&open_, &handoff_}) {
        for (auto& outputs : *room) outputs.store(~PortSet{0}, std::memory_order_relaxed);
    }
    offered_.fill({0xFF, 0xFF, 0});
}

Crossbar::Crossbar(const FabricSettings& settings, std::size_t ports, uint8_t workers)
    : ports_(ports),
      reads_backlogs_(sluice::reads_backlogs(settings.algorithm)),
      matcher_(make_matcher(settings)),
      shards_(workers),
      merged_(workers > 1 ? ports : 0),
      transfer_buffers_(std::make_unique<TransferBuffer[]>(ports)) {
    assert(ports <= max_ports && 0 < workers && workers <= max_workers);
    for (Shard& shard : shards_) shard.crossbar_ = this;
    configure(settings);
    requests_.ports = ports;
    requests_.rows = workers > 1 ? merged_.data() : shards_[0].rows_.data();
}

Crossbar::~Crossbar() = default;

void Crossbar::configure(const FabricSettings& settings) {
    matcher_->set_iterations(settings.iterations);
    rotation_length_ = 0;
    if (settings.rule == CrossbarRule::strict) return;

    // Each priority occurs as often as its weight, as evenly distributed as possible.
    int total = 0;
    for (const uint8_t weight : settings.weight) total += weight;
    assert(0 < total && static_cast<std::size_t>(total) <= rotation_.size());
    std::array<int, max_priorities> credit{};
    for (int place = 0; place < total; ++place) {
        for (std::size_t p = 0; p < max_priorities; ++p) credit[p] += settings.weight[p];
        const auto best = std::ranges::max_element(credit);
        *best -= total;
        rotation_[rotation_length_++] = static_cast<Priority>(best - credit.begin());
    }
    rotation_at_ %= rotation_length_;
}

void Crossbar::set_backlogs(InputIndex input, const Counter& first, std::size_t distance) {
    assert(input.number < ports_);
    requests_.backlog.first[input.number] = &first;
    requests_.backlog.to_next_output = distance * max_priorities;
    requests_.backlog.to_next_priority = distance;
}

void Crossbar::Shard::request(InputIndex input, PortIndex output, Priority priority) {
    assert(input.number < crossbar_->ports_ && output < crossbar_->ports_);
    InputSet& inputs = rows_[output][priority];
    if ((inputs & only(input)) != 0) return;
    if (inputs == 0) {
        turn_over(wanted_[priority], only(output));
        requested_ |= only(output);
        requested_at_ |= only_priority(priority);
    }
    store_shared(inputs, inputs | only(input));
}

void Crossbar::Shard::withdraw(InputIndex input, PortIndex output, Priority priority) {
    InputSet& inputs = rows_[output][priority];
    if ((inputs & only(input)) == 0) return;
    store_shared(inputs, inputs & ~only(input));
    if (inputs != 0) return;
    assert((requested_ & only(output)) != 0);
    turn_over(wanted_[priority], only(output));
    if (wanted_[priority].load(std::memory_order_relaxed) == 0)
        requested_at_ = static_cast<PrioritySet>(requested_at_ & ~only_priority(priority));
    if (rows_[output].with_any(~InputSet{0}) == 0) requested_ &= ~only(output);
}

void Crossbar::Shard::arrived(InputIndex input, PortIndex output, Priority priority) {
    arrivals_[input.number].store(pack({output, priority}), std::memory_order_relaxed);
    const InputSet arrived_at = arrived_at_.load(std::memory_order_relaxed);
    if ((arrived_at & only(input)) == 0)
        arrived_at_.store(arrived_at | only(input), std::memory_order_release);
}

void Crossbar::Shard::executed(InputSet inputs, std::size_t frames) {
    assert((inputs & ~granted(inputs)) == 0 && "a grant is carried out once");
    frames_.add(frames);
    turn_over(executed_, inputs);
}

void Crossbar::Shard::offer(PortIndex output, Room room) {
    const Room before = std::exchange(offered_[output], room);
    if (before == room) return;
    for_each_priority(static_cast<PrioritySet>(before.grant ^ room.grant),
                      [&](Priority priority) { turn_over(open_[priority], only(output)); });
    for_each_priority(static_cast<PrioritySet>(before.handoff ^ room.handoff),
                      [&](Priority priority) { turn_over(handoff_[priority], only(output)); });
    for_each_priority(static_cast<PrioritySet>(before.flows ^ room.flows),
                      [&](Priority priority) { turn_over(flows_[priority], only(output)); });
}

void Crossbar::Shard::absorbed(PortSet outputs) {
    assert((outputs & ~expecting(outputs)) == 0 && "only what a grant sends is absorbed");
    turn_over(absorbed_, outputs);
}

void Crossbar::Shard::post(PortSet outputs) { turn_over(posted_, outputs); }

PortSet Crossbar::Shard::posted(PortSet own) const {
    if (expecting(own) == 0) return 0;
    PortSet turned = collected_;
    for (const Shard& shard : crossbar_->shards_) {
        turned ^= shard.posted_.load(std::memory_order_acquire);
    }
    const PortSet full = turned & own;
    for_each_port(full, [&](PortIndex output) {
        const auto* const slot =
            reinterpret_cast<const std::byte*>(&crossbar_->transfer_buffers_[output]);
        for (std::size_t octet = 0; octet < prefetched_octets; octet += 64) {
            __builtin_prefetch(slot + octet);
        }
    });
    return full;
}

void Crossbar::Shard::collected(PortSet outputs) {
    collected_ ^= outputs;
    absorbed(outputs);
}

PortSet Crossbar::wanted() const {
    PortSet outputs = 0;
    for (const Shard& shard : shards_) {
        for (const auto& wanted : shard.wanted_) outputs |= wanted.load(std::memory_order_acquire);
    }
    return outputs;
}

InputSet Crossbar::busy_inputs() const {
    PortSet turned = issued_inputs_.load(std::memory_order_acquire);
    for (const Shard& shard : shards_) turned ^= shard.executed_.load(std::memory_order_acquire);
    return turned;
}

PortSet Crossbar::absorbed_outputs() const {
    PortSet turned = 0;
    for (const Shard& shard : shards_) turned ^= shard.absorbed_.load(std::memory_order_acquire);
    return turned;
}

PortSet Crossbar::busy_outputs() const {
    const PortSet issued = issued_outputs_.load(std::memory_order_acquire);
    return issued ^ absorbed_outputs();
}

PortSet Crossbar::lacking(PortSet then) const {
    const PortSet issued = issued_outputs_.load(std::memory_order_acquire);
    const PortSet absorbed = absorbed_outputs();
    return (issued ^ absorbed) & (then ^ absorbed);
}

void Crossbar::gather_requests() {
    requests_.inputs = first_ports(ports_) & ~busy_inputs();
    requests_.outputs = 0;
    // Busy outputs are read before the room of outputs: an output offers its room before it becomes
    // free.
    const PortSet free = ~busy_outputs();
    if (shards_.size() == 1) {
        gather_of_one_shard(free);
    } else {
        gather_of_shards(free);
        merge_rows();
    }
    if (reads_backlogs_) gather_arrivals();
}

void Crossbar::gather_of_one_shard(PortSet free) {
    const Shard& shard = shards_.front();
    requests_.open = {};
    for_each_priority(shard.requested_at_, [&](Priority priority) {
        const PortSet open = free & shard.wanted_[priority].load(std::memory_order_relaxed) &
                             shard.open_[priority].load(std::memory_order_relaxed);
        requests_.open[priority] = open;
        requests_.outputs |= open;
    });
}

void Crossbar::gather_of_shards(PortSet free) {
    for (std::size_t priority = 0; priority < max_priorities; ++priority) {
        PortSet wanted = 0;
        PortSet open = free;
        for (const Shard& shard : shards_) {
            wanted |= shard.wanted_[priority].load(std::memory_order_relaxed);
            open &= shard.open_[priority].load(std::memory_order_relaxed);
        }
        requests_.open[priority] = wanted & open;
        requests_.outputs |= wanted & open;
    }
}

void Crossbar::merge_rows() {
    for_each_port(requests_.outputs, [&](PortIndex output) {
        for (std::size_t priority = 0; priority < max_priorities; ++priority) {
            InputSet inputs = 0;
            for (const Shard& shard : shards_) {
                inputs |= load_shared(shard.rows_[output][priority]);
            }
            merged_[output][priority] = inputs;
        }
    });
}

void Crossbar::gather_arrivals() {
    Arrivals& arrivals = requests_.arrivals;
    arrivals.inputs = 0;
    for (const Shard& shard : shards_) {
        const InputSet arrived_at =
            shard.arrived_at_.load(std::memory_order_acquire) & requests_.inputs;
        arrivals.inputs |= arrived_at;
        for_each_input(arrived_at, [&](InputIndex input) {
            const Grant last =
                unpack(shard.arrivals_[input.number].load(std::memory_order_relaxed));
            arrivals.output[input.number] = last.output;
            arrivals.priority[input.number] = last.priority;
        });
    }
}

Priority Crossbar::next_favourite() {
    if (rotation_length_ == 0) return Requests::no_favourite;
    rotation_at_ = rotation_at_ + 1 == rotation_length_ ? 0 : rotation_at_ + 1;
    return rotation_[rotation_at_];
}

std::size_t Crossbar::match() {
    const bool one_shard = shards_.size() == 1;
    assert(!one_shard || shards_.front().requested() == wanted());
    if ((one_shard ? shards_.front().requested() : wanted()) == 0) return 0;
    gather_requests();
    requests_.favourite = next_favourite();
    std::size_t pairs = 0;
    if (requests_.outputs != 0 && requests_.inputs != 0) {
        matching_.matched = 0;
        matcher_->match(requests_, matching_);
        assert(answers(matching_, requests_));
        issue_grants();
        pairs = matching_.pairs();
    }
    slots_.add(1);
    pairs_.add(pairs);
    sizes_[pairs].add(1);
    return pairs;
}

void Crossbar::issue_grants() {
    PortSet outputs = 0;
    for_each_input(matching_.matched, [&](InputIndex input) {
        const PortIndex output = matching_.output[input.number];
        outputs |= only(output);
        const uint16_t grant = pack({output, matching_.priority[input.number]});
        grants_[input.number].store(grant, std::memory_order_relaxed);
    });
    turn_over(issued_outputs_, outputs);
    turn_over(issued_inputs_, matching_.matched);
}

// The checks follow the way of a frame: when an input has executed its grant, the frames are in the
// transfer buffer already, and the output counts as busy.
bool Crossbar::idle() const { return wanted() == 0 && busy_inputs() == 0 && busy_outputs() == 0; }

uint64_t Crossbar::frames() const {
    uint64_t sum = 0;
    for (const Shard& shard : shards_) sum += shard.frames_.value();
    return sum;
}

}  // namespace sluice
