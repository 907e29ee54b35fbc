// islip: the dataplane's own iSLIP (dataplane/fabric/islip.h), every cell of one priority.
#include "dataplane/fabric/islip.h"

#include "tools/sim/fabric/algorithms.h"

namespace sluice::sim {

namespace {

class IslipMatcher final : public Matcher {
  public:
    explicit IslipMatcher(const Tuning& tuning) : islip_(tuning.iterations) {
        requests_.ports = tuning.ports;
        requests_.rows = rows_.data();
        requests_.inputs = first_ports(tuning.ports);
        requests_.offer_all();
    }
    void match(const Voqs& voqs, const Arrivals&, Matching& matching) override {
        for (PortIndex output = 0; output < requests_.ports; ++output) {
            rows_[output].inputs[0] = voqs.inputs_for(output);
        }
        sluice::Matching found;
        islip_.match(requests_, found);
        for_each_port(found.matched,
                      [&](PortIndex input) { matching.pair(input, found.output[input]); });
    }

  private:
    Islip islip_;
    std::array<RequestRow, max_ports> rows_{};
    Requests requests_;
};

}  // namespace

Made make_islip(const Tuning& tuning) { return std::make_unique<IslipMatcher>(tuning); }

}  // namespace sluice::sim
