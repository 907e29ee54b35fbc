// rrm: round-robin matching (McKeown, "The iSLIP Scheduling Algorithm for Input-Queued Switches",
// 1999, section II-B). An output's pointer moves one beyond the granted input, even if the input
// does not accept the grant. Only this differs from iSLIP, and it makes the pointers of the outputs
// synchronise.
#include "tools/sim/fabric/algorithms.h"
#include "tools/sim/fabric/request_grant_accept.h"

namespace sluice::sim {

namespace {

class Rrm final : public Matcher {
  public:
    explicit Rrm(const Tuning& tuning) : ports_(tuning.ports), iterations_(tuning.iterations) {}
    void match(const Voqs& voqs, const Arrivals&, Matching& matching) override {
        request_grant_accept(
            voqs, iterations_, matching,
            [this](PortIndex output, PortSet inputs) { return next(inputs, grant_[output]); },
            [this](PortIndex input, PortSet outputs) { return next(outputs, accept_[input]); });
    }

  private:
    // Returns the first member of `set` from the pointer on, in round-robin order, and moves the
    // pointer one beyond it.
    [[nodiscard]] PortIndex next(PortSet set, PortIndex& pointer) const {
        const PortSet after = set & (~PortSet{0} << pointer);
        const auto chosen = static_cast<PortIndex>(std::countr_zero(after != 0 ? after : set));
        pointer = static_cast<PortIndex>((chosen + 1U) % ports_);
        return chosen;
    }

    unsigned ports_;
    unsigned iterations_;
    std::array<PortIndex, max_ports> grant_{};   // by output
    std::array<PortIndex, max_ports> accept_{};  // by input
};

}  // namespace

Made make_rrm(const Tuning& tuning) { return std::make_unique<Rrm>(tuning); }

}  // namespace sluice::sim
