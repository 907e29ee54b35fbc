#include "tools/sim/scenario/transfers.h"

#include <algorithm>
#include <utility>

#include "tools/sim/network/pace.h"

namespace sluice::sim {

Transfers::Transfers(Network& network, const NetworkScenario& scenario, const Terms& terms)
    : network_(network),
      spec_(terms.spec),
      terms_(terms),
      empty_(scenario),
      by_host_(terms.hosts) {}

void Transfers::add_sender(Host& host, std::size_t number, const Flow& flow,
                           std::vector<std::size_t> receivers, Control control) {
    origins_.push_back(std::make_unique<Origin>(*this, host, number, flow, std::move(receivers),
                                                std::move(control)));
    by_host_[number] = origins_.back().get();
}

void Transfers::arrived(const Packet& packet, std::size_t from, std::size_t to, Picos now) {
    by_host_[from]->arrived(packet.flow / terms_.hosts - terms_.first_number, to, now);
}

Bytes Transfers::backlog(Picos now) const {
    Bytes sum;
    for (const auto& origin : origins_) sum += origin->backlog(now);
    return sum;
}

std::size_t Transfers::memory() const {
    std::size_t places = 0;
    for (const auto& origin : origins_) places += origin->places();
    constexpr std::size_t of_control = 512;  // memory of a rate control and its source
    const std::size_t of_recovery = spec_.flow.again ? Recovery::octets_at_least : 0;
    return places * (sizeof(Open) + sizeof(Source) + of_control + of_recovery) +
           slowdowns_.memory();
}

// --- one sender ---

Transfers::Origin::Origin(Transfers& all, Host& host, std::size_t number, Flow flow,
                          std::vector<std::size_t> receivers, Control control)
    : all_(all),
      host_(host),
      number_(number),
      flow_(std::move(flow)),
      receivers_(std::move(receivers)),
      control_(std::move(control)),
      draws_(all.terms_.seed + number) {
    const FlowSpec& spec = all_.spec_;
    mean_ = time_at(spec.pace.rate, spec.sizes.mean_on_wire(spec.carried, spec.around));
    next_ = spec.pace.start;
    wait();
}

void Transfers::Origin::wait() {
    next_ += Picos(static_cast<int64_t>(Wide{mean_.count()} * draw_exponential(draws_) >> 32));
    if (next_ < std::min(all_.terms_.until, all_.spec_.pace.stop))
        all_.network_.look_at(next_, *this);
}

void Transfers::Origin::look() {
    begin(next_);
    wait();
    host_.look();
}

void Transfers::Origin::begin(Picos due) {
    const std::size_t to = receivers_[draws_.next() % receivers_.size()];
    const Bytes size = all_.spec_.sizes.draw(draws_);
    const int64_t carried = all_.spec_.carried.count();
    flow_.source_port = static_cast<uint16_t>(0xC000 | draws_.next() >> 18);
    flow_.to = address_of(to);
    const std::size_t place = host_.sender.open(flow_, control_(), [&](std::size_t n) {
        return static_cast<uint32_t>((all_.terms_.first_number + n) * all_.terms_.hosts + number_);
    });
    if (place >= open_.size()) open_.resize(place + 1);
    open_[place] = {size, due, static_cast<uint64_t>((size.count() + carried - 1) / carried)};
    host_.sender.source(place).post({.due = due, .left = size});
    if (due >= all_.terms_.measured_from) all_.slowdowns_.begin();
}

void Transfers::Origin::arrived(std::size_t place, std::size_t to, Picos now) {
    Open& open = open_[place];
    if (--open.frames_left > 0) return;
    const Picos took = now - open.due;
    all_.finish(took);
    if (open.due >= all_.terms_.measured_from) {
        const FlowSpec& spec = all_.spec_;
        const Picos alone = all_.empty_.time(number_, to, open.size, spec.carried, spec.around);
        all_.slowdowns_.finish(open.size, took, alone);
    }
    host_.sender.close(place);
}

Bytes Transfers::Origin::backlog(Picos now) const {
    Bytes sum;
    for (std::size_t place = 0; place < open_.size(); ++place) {
        if (open_[place].frames_left > 0) sum += host_.sender.source(place).backlog(now);
    }
    return sum;
}

}  // namespace sluice::sim
