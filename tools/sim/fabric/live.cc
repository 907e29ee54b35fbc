// live: the dataplane's own matchers (dataplane/fabric), with all cells of one priority.
#include "dataplane/fabric/matchers.h"

#include "tools/sim/fabric/algorithms.h"

namespace sluice::sim {

namespace {

class Live final : public Matcher {
  public:
    Live(MatchingAlgorithm algorithm, const Tuning& tuning) {
        FabricSettings settings;
        settings.algorithm = algorithm;
        matcher_ = make_matcher(settings);
        matcher_->set_iterations(tuning.iterations);
        requests_.ports = tuning.ports;
        requests_.rows = rows_.data();
        requests_.inputs = first_ports(tuning.ports);
        requests_.offer_all();
    }
    void match(const Voqs& voqs, const Arrivals& arrivals, Matching& matching) override {
        for (PortIndex output = 0; output < requests_.ports; ++output) {
            rows_[output][0] = voqs.inputs_for(output);
        }
        requests_.arrivals.inputs = arrivals.inputs;
        requests_.arrivals.output = arrivals.output;
        requests_.backlog = voqs.backlogs();
        sluice::Matching found;
        matcher_->match(requests_, found);
        for_each_port(found.matched,
                      [&](PortIndex input) { matching.pair(input, found.output[input]); });
    }

  private:
    std::unique_ptr<sluice::Matcher> matcher_;
    std::array<RequestRow, max_ports> rows_{};
    Requests requests_;
};

}  // namespace

Made make_islip(const Tuning& tuning) {
    return std::make_unique<Live>(MatchingAlgorithm::islip, tuning);
}
Made make_serena(const Tuning& tuning) {
    return std::make_unique<Live>(MatchingAlgorithm::serena, tuning);
}

}  // namespace sluice::sim
