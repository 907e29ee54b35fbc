// FlowSizes: the lengths of transfers: all equal, or drawn from a distribution of a paper.
//
//   websearch  query, background and other traffic of a cluster for web search: Alizadeh et al.,
//              "Data Center TCP (DCTCP)", SIGCOMM 2010, figure 4
//   hadoop     a Hadoop cluster: Roy et al., "Inside the Social Network's (Datacenter) Network",
//              SIGCOMM 2015, figure 6
// Both are the tables of octets and shares in traffic_gen, by the authors of Li et al., "HPCC",
// SIGCOMM 2019, 5.1; later papers use them too. Sizes are drawn uniformly between two rows.
// Exact: whole numbers only.
#pragma once

#include <cstdint>
#include <span>

#include "dataplane/types/random.h"
#include "dataplane/types/units.h"

namespace sluice::sim {

// `share` of all transfers, in 1/10000, have at most `octets`.
struct SizePoint {
    int64_t octets;
    int64_t share;
};

std::span<const SizePoint> websearch_sizes();
std::span<const SizePoint> hadoop_sizes();

class FlowSizes {
  public:
    FlowSizes() = default;
    // `points`: shares rise from 0 to 10000.
    explicit FlowSizes(std::span<const SizePoint> points) : points_(points) {}
    explicit FlowSizes(Bytes all) : all_(all) {}

    [[nodiscard]] Bytes draw(Random& random) const;
    [[nodiscard]] Bytes longest() const {
        return points_.empty() ? all_ : Bytes(points_.back().octets);
    }
    // Returns the average octets of a transfer on the wire. A frame carries `carried` octets, has a
    // per-frame overhead of `around` octets (FCS included), and is padded to the shortest frame.
    [[nodiscard]] Bytes mean_on_wire(Bytes carried, Bytes around) const;

  private:
    Bytes all_{1};
    std::span<const SizePoint> points_;
};

}  // namespace sluice::sim
