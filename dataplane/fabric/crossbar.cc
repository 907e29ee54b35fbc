#include "dataplane/fabric/crossbar.h"

#include <algorithm>
#include <cstddef>
#include <type_traits>

namespace sluice {
namespace {

// A shard's words have one writer and readers on other cores; these cost what a plain access does.
template <class Word>
void store_shared(Word& word, std::type_identity_t<Word> value) {
    std::atomic_ref(word).store(value, std::memory_order_relaxed);
}
template <class Word>
Word load_shared(const Word& word) {
    return std::atomic_ref(const_cast<Word&>(word)).load(std::memory_order_relaxed);
}
// Of each mailbox: what a grant across workers often moves, ten frames.
constexpr std::size_t prefetched_octets = 256;

// Of a word that nobody else writes.
void turn_over(std::atomic<PortSet>& word, PortSet bits) {
    word.store(word.load(std::memory_order_relaxed) ^ bits, std::memory_order_release);
}

}  // namespace

Crossbar::Shard::Shard() {
    for (auto& outputs : open) outputs.store(~PortSet{0}, std::memory_order_relaxed);
    offered.fill(0xFF);
}

Crossbar::Crossbar(const FabricSettings& settings, std::size_t ports, uint8_t workers)
    : ports_(ports),
      weighs_(sluice::weighs(settings.algorithm)),
      matcher_(make_matcher(settings)),
      shards_(workers),
      merged_(workers > 1 ? ports : 0),
      mailboxes_(std::make_unique<Mailbox[]>(ports)) {
    configure(settings);
    requests_.ports = ports;
    requests_.rows = workers > 1 ? merged_.data() : shards_[0].rows.data();
}

void Crossbar::configure(const FabricSettings& settings) {
    matcher_->set_iterations(settings.iterations);
    rotation_length_ = 0;
    if (settings.rule == CrossbarRule::strict) return;

    // Each priority comes up as often as its weight says, spread as evenly as can be.
    int total = 0;
    for (const uint8_t weight : settings.weight) total += weight;
    std::array<int, max_priorities> credit{};
    for (int place = 0; place < total; ++place) {
        for (std::size_t p = 0; p < max_priorities; ++p) credit[p] += settings.weight[p];
        const auto best = std::ranges::max_element(credit);
        *best -= total;
        rotation_[rotation_length_++] = static_cast<Priority>(best - credit.begin());
    }
    rotation_at_ %= rotation_length_;
}

void Crossbar::weigh(PortIndex input, const Counter& first, std::size_t distance) {
    requests_.backlog.first[input] = &first;
    requests_.backlog.to_next_output = distance * max_priorities;
    requests_.backlog.to_next_priority = distance;
}

void Crossbar::request(WorkerIndex worker, PortIndex input, PortIndex output, Priority priority) {
    Shard& shard = shards_[worker];
    PortSet& inputs = shard.rows[output][priority];
    if ((inputs & only(input)) != 0) return;
    if (inputs == 0) turn_over(shard.wanted[priority], only(output));
    store_shared(inputs, inputs | only(input));
}

void Crossbar::withdraw(WorkerIndex worker, PortIndex input, PortIndex output, Priority priority) {
    Shard& shard = shards_[worker];
    PortSet& inputs = shard.rows[output][priority];
    if ((inputs & only(input)) == 0) return;
    store_shared(inputs, inputs & ~only(input));
    if (inputs == 0) turn_over(shard.wanted[priority], only(output));
}

void Crossbar::arrived(WorkerIndex worker, PortIndex input, PortIndex output, Priority priority) {
    Shard& shard = shards_[worker];
    shard.arrivals[input].store(pack({output, priority}), std::memory_order_relaxed);
    const PortSet heard = shard.heard.load(std::memory_order_relaxed);
    if ((heard & only(input)) == 0) {
        shard.heard.store(heard | only(input), std::memory_order_release);
    }
}

void Crossbar::executed(WorkerIndex worker, PortSet inputs, std::size_t frames) {
    shards_[worker].frames.add(frames);
    turn_over(shards_[worker].executed, inputs);
}

void Crossbar::offer(WorkerIndex worker, PortIndex output, PrioritySet room) {
    Shard& shard = shards_[worker];
    const auto changed = static_cast<PrioritySet>(shard.offered[output] ^ room);
    if (changed == 0) return;
    shard.offered[output] = room;
    for_each_priority(changed,
                      [&](Priority priority) { turn_over(shard.open[priority], only(output)); });
}

void Crossbar::absorbed(WorkerIndex worker, PortSet outputs) {
    turn_over(shards_[worker].absorbed, outputs);
}

void Crossbar::post(WorkerIndex worker, PortSet outputs) {
    turn_over(shards_[worker].posted, outputs);
}

PortSet Crossbar::posted(WorkerIndex worker, PortSet own) const {
    if (expecting(worker, own) == 0) return 0;
    PortSet turned = shards_[worker].collected;
    for (const Shard& shard : shards_) turned ^= shard.posted.load(std::memory_order_acquire);
    const PortSet full = turned & own;
    for_each_port(full, [&](PortIndex output) {
        const auto* const mailbox = reinterpret_cast<const std::byte*>(&mailboxes_[output]);
        for (std::size_t octet = 0; octet < prefetched_octets; octet += 64) {
            __builtin_prefetch(mailbox + octet);
        }
    });
    return full;
}

void Crossbar::collected(WorkerIndex worker, PortSet outputs) {
    shards_[worker].collected ^= outputs;
    absorbed(worker, outputs);
}

PortSet Crossbar::wanted() const {
    PortSet outputs = 0;
    for (const Shard& shard : shards_) {
        for (const auto& wanted : shard.wanted) outputs |= wanted.load(std::memory_order_acquire);
    }
    return outputs;
}

PortSet Crossbar::busy_inputs() const {
    PortSet turned = issued_inputs_.load(std::memory_order_acquire);
    for (const Shard& shard : shards_) turned ^= shard.executed.load(std::memory_order_acquire);
    return turned;
}

PortSet Crossbar::busy_outputs() const {
    PortSet turned = issued_outputs_.load(std::memory_order_acquire);
    for (const Shard& shard : shards_) turned ^= shard.absorbed.load(std::memory_order_acquire);
    return turned;
}

void Crossbar::gather_requests() {
    requests_.inputs = first_ports(ports_) & ~busy_inputs();
    requests_.outputs = 0;
    // Before the room that they have: it was offered before they counted as free.
    const PortSet free = ~busy_outputs();
    for (std::size_t priority = 0; priority < max_priorities; ++priority) {
        PortSet wanted = 0;
        PortSet open = free;
        for (const Shard& shard : shards_) {
            wanted |= shard.wanted[priority].load(std::memory_order_relaxed);
            open &= shard.open[priority].load(std::memory_order_relaxed);
        }
        requests_.open[priority] = wanted & open;
        requests_.outputs |= wanted & open;
    }
    if (shards_.size() > 1) merge_rows();
    if (weighs_) gather_arrivals();
}

void Crossbar::merge_rows() {
    for_each_port(requests_.outputs, [&](PortIndex output) {
        for (std::size_t priority = 0; priority < max_priorities; ++priority) {
            PortSet inputs = 0;
            for (const Shard& shard : shards_) {
                inputs |= load_shared(shard.rows[output][priority]);
            }
            merged_[output][priority] = inputs;
        }
    });
}

void Crossbar::gather_arrivals() {
    Arrivals& arrivals = requests_.arrivals;
    arrivals.inputs = 0;
    for (const Shard& shard : shards_) {
        const PortSet heard = shard.heard.load(std::memory_order_acquire) & requests_.inputs;
        arrivals.inputs |= heard;
        for_each_port(heard, [&](PortIndex input) {
            const Grant last = unpack(shard.arrivals[input].load(std::memory_order_relaxed));
            arrivals.output[input] = last.output;
            arrivals.priority[input] = last.priority;
        });
    }
}

Priority Crossbar::next_favourite() {
    if (rotation_length_ == 0) return Requests::no_favourite;
    rotation_at_ = rotation_at_ + 1 == rotation_length_ ? 0 : rotation_at_ + 1;
    return rotation_[rotation_at_];
}

std::size_t Crossbar::match() {
    if (wanted() == 0) return 0;
    gather_requests();
    requests_.favourite = next_favourite();
    matching_.matched = 0;
    if (requests_.outputs != 0 && requests_.inputs != 0) matcher_->match(requests_, matching_);
    issue_grants();
    const std::size_t pairs = matching_.pairs();
    slots_.add(1);
    pairs_.add(pairs);
    sizes_[pairs].add(1);
    return pairs;
}

void Crossbar::issue_grants() {
    PortSet outputs = 0;
    for_each_port(matching_.matched, [&](PortIndex input) {
        const PortIndex output = matching_.output[input];
        outputs |= only(output);
        const uint16_t grant = pack({output, matching_.priority[input]});
        grants_[input].store(grant, std::memory_order_relaxed);
    });
    turn_over(issued_outputs_, outputs);
    turn_over(issued_inputs_, matching_.matched);
}

// A grant is executed before its outputs are looked at, and its mailbox was filled before that.
bool Crossbar::idle() const { return wanted() == 0 && busy_inputs() == 0 && busy_outputs() == 0; }

uint64_t Crossbar::frames() const {
    uint64_t sum = 0;
    for (const Shard& shard : shards_) sum += shard.frames.value();
    return sum;
}

}  // namespace sluice
