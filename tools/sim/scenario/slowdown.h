// Slowdowns: computes how much longer transfers took than in an idle network: by size, in 20 groups
// of equally many transfers, as papers on congestion control plot it.
//
// A quantile is the least slowdown that its share of the transfers does not exceed.
// Bound: 24 octets for each finished transfer, and sorting them at the end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "dataplane/types/units.h"
#include "tools/sim/network/picos.h"

namespace sluice::sim {

struct SlowdownPart {
    Bytes longest;  // longest transfer of the group
    uint64_t transfers = 0;
    double p50 = 0;
    double p95 = 0;
    double p99 = 0;
};

struct SlowdownResult {
    uint64_t begun = 0;  // transfers that were due from the warm-up on
    SlowdownPart all;    // finished transfers
    std::vector<SlowdownPart> parts;
};

class Slowdowns {
  public:
    static constexpr std::size_t parts = 20;

    void begin() { ++begun_; }
    void finish(Bytes size, Picos took, Picos at_best) {
        done_.push_back({size,
                         static_cast<double>(took.count()) / static_cast<double>(at_best.count()),
                         done_.size()});
    }
    [[nodiscard]] SlowdownResult result();
    [[nodiscard]] std::size_t memory() const { return done_.capacity() * sizeof(Done); }

  private:
    struct Done {
        Bytes size;
        double slowdown;
        std::size_t number;  // gives transfers of equal size an order
    };

    uint64_t begun_ = 0;
    std::vector<Done> done_;
};

}  // namespace sluice::sim
