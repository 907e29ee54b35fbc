// pim: parallel iterative matching (Anderson, Owicki, Saxe and Thacker, "High-Speed Switch
// Scheduling for Local-Area Networks", ACM Transactions on Computer Systems 11(4), 1993).
// Outputs grant and inputs accept at random.
#include "tools/sim/fabric/algorithms.h"
#include "tools/sim/fabric/chance.h"
#include "tools/sim/fabric/request_grant_accept.h"

namespace sluice::sim {

namespace {

class Pim final : public Matcher {
  public:
    explicit Pim(const Tuning& tuning) : iterations_(tuning.iterations), random_(tuning.seed) {}
    void match(const Voqs& voqs, const Arrivals&, Matching& matching) override {
        const auto choose = [this](PortIndex, PortSet set) { return any_of(random_, set); };
        request_grant_accept(voqs, iterations_, matching, choose, choose);
    }

  private:
    unsigned iterations_;
    Random random_;
};

}  // namespace

Made make_pim(const Tuning& tuning) { return std::make_unique<Pim>(tuning); }

}  // namespace sluice::sim
