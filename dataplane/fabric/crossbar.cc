#include "dataplane/fabric/crossbar.h"

#include <algorithm>
#include <bit>

namespace sluice {
namespace {

constexpr uint32_t absorbed_mask = 0x00FF'FFFF;
constexpr uint32_t serial_mask = 0xFFFF;

// A shard's word has one writer and readers on other cores; these cost what a plain access does.
void store_bits(PortSet& word, PortSet value) {
    std::atomic_ref(word).store(value, std::memory_order_relaxed);
}
PortSet load_bits(const PortSet& word) {
    return std::atomic_ref(const_cast<PortSet&>(word)).load(std::memory_order_relaxed);
}

}  // namespace

Crossbar::Crossbar(const FabricSettings& settings, std::size_t ports, uint8_t workers)
    : ports_(ports),
      workers_(workers),
      matcher_(settings.iterations),
      shards_(workers),
      merged_(workers > 1 ? ports : 0),
      inputs_(ports),
      mailboxes_(std::make_unique<Mailbox[]>(ports)) {
    configure(settings);
    requests_.ports = ports;
    requests_.rows = workers > 1 ? merged_.data() : shards_[0].rows.data();
    for (PortIndex output = 0; output < ports; ++output) offer(output, PrioritySet{0xFF}, 0);
}

void Crossbar::configure(const FabricSettings& settings) {
    matcher_.set_iterations(settings.iterations);
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

void Crossbar::request(WorkerIndex worker, PortIndex input, PortIndex output, Priority priority) {
    RequestShard& shard = shards_[worker];
    PortSet& word = shard.rows[output].inputs[priority];
    if ((word & only(input)) != 0) return;
    store_bits(word, word | only(input));
    const uint32_t count = shard.backlogged.load(std::memory_order_relaxed);
    shard.backlogged.store(count + 1, std::memory_order_release);
}

void Crossbar::withdraw(WorkerIndex worker, PortIndex input, PortIndex output, Priority priority) {
    RequestShard& shard = shards_[worker];
    PortSet& word = shard.rows[output].inputs[priority];
    store_bits(word, word & ~only(input));
    const uint32_t count = shard.backlogged.load(std::memory_order_relaxed);
    shard.backlogged.store(count - 1, std::memory_order_release);
}

std::optional<Grant> Crossbar::grant_of(PortIndex input) const {
    const uint32_t grant = grants_[input].load(std::memory_order_acquire);
    const uint32_t serial = grant >> 16;
    if (serial == (inputs_[input].executed.load(std::memory_order_relaxed) & serial_mask)) {
        return {};
    }
    return Grant{static_cast<PortIndex>(grant >> 8), static_cast<Priority>(grant & 0xFF)};
}

void Crossbar::executed(PortIndex input, std::size_t frames) {
    InputState& state = inputs_[input];
    state.frames.add(frames);
    const uint32_t count = state.executed.load(std::memory_order_relaxed);
    state.executed.store(count + 1, std::memory_order_release);
}

void Crossbar::offer(PortIndex output, PrioritySet room, uint32_t grants) {
    const uint32_t absorbed = (offers_[output].load(std::memory_order_relaxed) >> 8) + grants;
    offers_[output].store((absorbed & absorbed_mask) << 8 | room, std::memory_order_release);
}

void Crossbar::post(PortIndex output, std::size_t frames) {
    Mailbox& mailbox = mailboxes_[output];
    mailbox.count = static_cast<uint32_t>(frames);
    const uint32_t posted = mailbox.posted.load(std::memory_order_relaxed);
    mailbox.posted.store(posted + 1, std::memory_order_release);
}

std::optional<std::span<const Frame>> Crossbar::collect(PortIndex output) const {
    const Mailbox& mailbox = mailboxes_[output];
    const uint32_t posted = mailbox.posted.load(std::memory_order_acquire);
    if (posted == mailbox.collected.load(std::memory_order_relaxed)) return {};
    return std::span(mailbox.frames).first(mailbox.count);
}

void Crossbar::collected(PortIndex output) {
    Mailbox& mailbox = mailboxes_[output];
    const uint32_t count = mailbox.collected.load(std::memory_order_relaxed);
    mailbox.collected.store(count + 1, std::memory_order_release);
}

bool Crossbar::anything_requested() const {
    return std::ranges::any_of(shards_, [](const RequestShard& shard) {
        return shard.backlogged.load(std::memory_order_acquire) != 0;
    });
}

void Crossbar::gather_requests() {
    if (workers_ > 1) {
        for (std::size_t output = 0; output < ports_; ++output) {
            for (std::size_t priority = 0; priority < max_priorities; ++priority) {
                PortSet inputs = 0;
                for (const RequestShard& shard : shards_) {
                    inputs |= load_bits(shard.rows[output].inputs[priority]);
                }
                merged_[output].inputs[priority] = inputs;
            }
        }
    }
    requests_.inputs = 0;
    for (PortIndex port = 0; port < ports_; ++port) {
        if (inputs_[port].executed.load(std::memory_order_acquire) == issued_to_input_[port]) {
            requests_.inputs |= only(port);
        }
        const uint32_t offer = offers_[port].load(std::memory_order_acquire);
        const bool absorbed = offer >> 8 == (issued_to_output_[port] & absorbed_mask);
        requests_.offers[port] = absorbed ? static_cast<PrioritySet>(offer) : PrioritySet{0};
    }
}

Priority Crossbar::next_favourite() {
    if (rotation_length_ == 0) return Requests::no_favourite;
    rotation_at_ = rotation_at_ + 1 == rotation_length_ ? 0 : rotation_at_ + 1;
    return rotation_[rotation_at_];
}

std::size_t Crossbar::match() {
    if (!anything_requested()) return 0;
    gather_requests();
    requests_.favourite = next_favourite();
    matcher_.match(requests_, matching_);

    for (PortSet left = matching_.matched; left != 0; left &= left - 1) {
        const auto input = static_cast<PortIndex>(std::countr_zero(left));
        const Grant grant{matching_.output[input], matching_.priority[input]};
        ++issued_to_output_[grant.output];
        grants_[input].store(pack(++issued_to_input_[input], grant), std::memory_order_release);
    }
    const std::size_t pairs = matching_.pairs();
    slots_.add(1);
    pairs_.add(pairs);
    sizes_[pairs].add(1);
    return pairs;
}

bool Crossbar::idle() const {
    if (anything_requested()) return false;
    for (PortIndex port = 0; port < ports_; ++port) {
        const uint32_t issued = grants_[port].load(std::memory_order_acquire) >> 16;
        if ((inputs_[port].executed.load(std::memory_order_acquire) & serial_mask) != issued) {
            return false;
        }
    }
    // After the grants: a mailbox is filled before its grant counts as executed.
    for (PortIndex port = 0; port < ports_; ++port) {
        const Mailbox& mailbox = mailboxes_[port];
        if (mailbox.posted.load(std::memory_order_acquire) !=
            mailbox.collected.load(std::memory_order_acquire)) {
            return false;
        }
    }
    return true;
}

uint64_t Crossbar::frames() const {
    uint64_t sum = 0;
    for (const InputState& input : inputs_) sum += input.frames.value();
    return sum;
}

}  // namespace sluice
