// ilqf: iterative longest queue first (McKeown, "Scheduling Algorithms for Input-Queued Cell
// Switches", PhD thesis, Berkeley, 1995). Outputs grant and inputs accept the longest queue; ties
// are broken at random.
#include <algorithm>

#include "tools/sim/fabric/algorithms.h"
#include "tools/sim/fabric/chance.h"
#include "tools/sim/fabric/request_grant_accept.h"

namespace sluice::sim {

namespace {

class Ilqf final : public Matcher {
  public:
    explicit Ilqf(const Tuning& tuning) : iterations_(tuning.iterations), random_(tuning.seed) {}
    void match(const Voqs& voqs, const Arrivals&, Matching& matching) override {
        request_grant_accept(
            voqs, iterations_, matching,
            [&](PortIndex output, PortSet inputs) {
                return longest(inputs, [&](PortIndex input) { return voqs.length(input, output); });
            },
            [&](PortIndex input, PortSet outputs) {
                return longest(outputs,
                               [&](PortIndex output) { return voqs.length(input, output); });
            });
    }

  private:
    template <class Length>
    PortIndex longest(PortSet set, Length length_of) {
        uint32_t most = 0;
        PortSet equals = 0;
        for_each_port(set, [&](PortIndex port) {
            const uint32_t length = length_of(port);
            if (length > most) equals = 0;
            if (length >= most) equals |= only(port);
            most = std::max(most, length);
        });
        return any_of(random_, equals);
    }

    unsigned iterations_;
    Random random_;
};

}  // namespace

Made make_ilqf(const Tuning& tuning) { return std::make_unique<Ilqf>(tuning); }

}  // namespace sluice::sim
