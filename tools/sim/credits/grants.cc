#include "tools/sim/credits/grants.h"

#include <algorithm>
#include <deque>
#include <numeric>

namespace sluice::sim {

namespace {

constexpr unsigned nobody = UINT32_MAX;

// Counts the octets that a rate allows, step by step. A fraction of an octet is carried over to
// later steps.
class Flow {
  public:
    Flow(Wide bits_per_second, Picos step) : each_(bits_per_second * step.count()) {}
    void step() { saved_ += each_; }
    [[nodiscard]] Bytes octets() const { return Bytes(static_cast<int64_t>(saved_ / octet)); }
    void use(Bytes octets) { saved_ -= Wide{octets.count()} * octet; }
    // Drops unused octets beyond `most`.
    void keep(Bytes most) { saved_ = std::min(saved_, Wide{most.count()} * octet); }

  private:
    static constexpr Wide octet = Wide{8} * 1'000'000'000'000;

    Wide each_;
    Wide saved_ = 0;
};

// Chooses the ingress port of the next credit by the policy.
class Turns {
  public:
    Turns(GrantPolicy policy, const std::vector<unsigned>& slices) : policy_(policy) {
        unsigned first = 0;
        for (const unsigned ports : slices) {
            if (ports > 0) slices_.push_back({first, ports, 0});
            first += ports;
        }
        ports_ = first;
    }
    unsigned next() {
        if (policy_ == GrantPolicy::port) return turn_++ % ports_;
        Slice& slice = slices_[turn_++ % slices_.size()];
        return slice.first + slice.turn++ % slice.ports;
    }

  private:
    struct Slice {
        unsigned first;
        unsigned ports;
        unsigned turn;
    };
    GrantPolicy policy_;
    std::vector<Slice> slices_;
    unsigned ports_ = 0;
    unsigned turn_ = 0;
};

struct EgressPort {
    EgressPort(const GrantSettings& settings, unsigned ingress_ports)
        : turns(settings.policy, settings.slices),
          credit(ingress_ports),
          wire(settings.speed.count(), settings.interval),
          fabric(Wide{settings.speed.count()} * settings.speed_up_1000 / 1000, settings.interval) {}

    Turns turns;
    std::vector<Bytes> credit;         // of each ingress port's VOQ
    std::deque<unsigned> into_fabric;  // ingress ports of cells that wait for the fabric
    Bytes outstanding;
    Bytes buffered;
    Flow wire;
    Flow fabric;
};

class GrantRun {
  public:
    explicit GrantRun(const GrantSettings& settings)
        : settings_(settings),
          ingress_ports_(std::accumulate(settings.slices.begin(), settings.slices.end(), 0U)),
          loop_((settings.rtt.count() + settings.interval.count() - 1) / settings.interval.count()),
          arrived_(ingress_ports_) {
        for (unsigned port = 0; port < settings.egress_ports; ++port) {
            ports_.emplace_back(settings, ingress_ports_);
        }
        outcome_.buffer = settings.buffer.count() > 0 ? settings.buffer : buffer_for(settings);
        credits_.assign(static_cast<std::size_t>(loop_ - loop_ / 2), {nobody, 0});
        cells_.assign(static_cast<std::size_t>(loop_ / 2) + 1, {});
    }

    GrantOutcome run() {
        const int64_t steps = settings_.time.count() / settings_.interval.count();
        const int64_t stop =
            std::min(steps, settings_.stops_at.count() / settings_.interval.count());
        for (step_ = 0; step_ < steps; ++step_) {
            counts_ = step_ >= 2 * loop_ && step_ < stop;
            counted_ += counts_ ? 1 : 0;
            take_credit();
            for (unsigned port = 0; port < ports_.size(); ++port) cross(port);
            arrive();
            for (EgressPort& port : ports_) send(port, step_ < stop);
            grant();
        }
        return result();
    }

  private:
    struct Credit {
        unsigned egress;
        unsigned ingress;
    };

    void take_credit() {
        const Credit heard = credits_[index(credits_.size())];
        if (heard.egress == nobody) return;
        EgressPort& port = ports_[heard.egress];
        Bytes& credit = port.credit[heard.ingress];
        for (credit += settings_.quantum; credit >= settings_.cell; credit -= settings_.cell) {
            port.into_fabric.push_back(heard.ingress);
        }
    }
    void cross(unsigned egress) {
        EgressPort& port = ports_[egress];
        std::vector<Credit>& on_its_way = cells_[index(cells_.size())];
        if (egress == 0) on_its_way.clear();
        port.fabric.step();
        while (!port.into_fabric.empty() && port.fabric.octets() >= settings_.cell) {
            port.fabric.use(settings_.cell);
            on_its_way.push_back({egress, port.into_fabric.front()});
            port.into_fabric.pop_front();
        }
        if (port.into_fabric.empty()) port.fabric.keep(settings_.cell);
    }
    void arrive() {
        for (const Credit& cell : cells_[index(cells_.size(), 1)]) {
            EgressPort& port = ports_[cell.egress];
            port.outstanding -= settings_.cell;
            port.buffered += settings_.cell;
            outcome_.most_buffered = std::max(outcome_.most_buffered, port.buffered);
            if (counts_) arrived_[cell.ingress] += settings_.cell;
        }
    }
    void send(EgressPort& port, bool sends) {
        port.wire.step();
        const Bytes octets = sends ? std::min(port.wire.octets(), port.buffered) : Bytes(0);
        port.wire.use(octets);
        port.buffered -= octets;
        port.wire.keep(Bytes(1));
        if (counts_) sent_ += octets;
    }
    void grant() {
        Credit& place = credits_[index(credits_.size())];
        place = {nobody, 0};
        for (unsigned tried = 0; tried < ports_.size(); ++tried) {
            const unsigned egress = (turn_ + tried) % settings_.egress_ports;
            EgressPort& port = ports_[egress];
            if (port.outstanding + port.buffered + settings_.quantum > outcome_.buffer) continue;
            port.outstanding += settings_.quantum;
            outcome_.most_outstanding = std::max(outcome_.most_outstanding, port.outstanding);
            place = {egress, port.turns.next()};
            turn_ = egress + 1;
            ++outcome_.credits;
            return;
        }
    }
    // Returns the position in a ring of the step that is `after` steps from now.
    [[nodiscard]] std::size_t index(std::size_t size, std::size_t after = 0) const {
        return (static_cast<std::size_t>(step_) + after) % size;
    }

    GrantOutcome result() {
        Bytes all;
        for (const Bytes octets : arrived_) all += octets;
        for (const Bytes octets : arrived_) {
            outcome_.shares.push_back(all.count() == 0 ? 0.0
                                                       : static_cast<double>(octets.count()) /
                                                             static_cast<double>(all.count()));
        }
        const double could = static_cast<double>(counted_) *
                             static_cast<double>(settings_.interval.count()) / 8e12 *
                             static_cast<double>(settings_.speed.count()) * settings_.egress_ports;
        if (could > 0) {
            outcome_.utilisation = static_cast<double>(sent_.count()) / could;
            outcome_.fabric_load =
                static_cast<double>(all.count()) / could * 1000 / settings_.speed_up_1000;
        }
        return outcome_;
    }

    const GrantSettings& settings_;
    unsigned ingress_ports_;
    int64_t loop_;  // round trip in steps
    std::vector<Bytes> arrived_;
    std::vector<EgressPort> ports_;
    std::vector<Credit> credits_;  // a ring, by the step in which the credit was given
    // A ring of the cells in the fabric, by the step in which they entered it.
    std::vector<std::vector<Credit>> cells_;
    unsigned turn_ = 0;
    int64_t step_ = 0;
    bool counts_ = false;
    int64_t counted_ = 0;
    Bytes sent_;
    GrantOutcome outcome_;
};

}  // namespace

Bytes one_bdp(const GrantSettings& settings) {
    return Bytes(static_cast<int64_t>(Wide{settings.speed.count()} * settings.rtt.count() /
                                      (Wide{8} * 1'000'000'000'000)));
}

Bytes buffer_for(const GrantSettings& settings) {
    const auto voqs = std::accumulate(settings.slices.begin(), settings.slices.end(), int64_t{0});
    return one_bdp(settings) + settings.quantum + settings.cell * voqs;
}

GrantOutcome simulate(const GrantSettings& settings) { return GrantRun(settings).run(); }

}  // namespace sluice::sim
