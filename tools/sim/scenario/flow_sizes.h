// FlowSizes: how long transfers are: all the same, or drawn from a distribution that papers name.
//
//   websearch   query, background and other traffic of a cluster for web search: Alizadeh et al.,
//               "Data Center TCP (DCTCP)", SIGCOMM 2010, figure 4
//   hadoop      a Hadoop cluster: Roy et al., "Inside the Social Network's (Datacenter) Network",
//               SIGCOMM 2015, figure 6
// Both as the table of octets and shares by which Li et al., "HPCC", SIGCOMM 2019, 5.1 and later
// papers draw them (traffic_gen of the authors); evenly between two lines of it.
// Exact: whole numbers only.
#pragma once

#include <cstdint>
#include <span>

#include "dataplane/types/random.h"
#include "dataplane/types/units.h"

namespace sluice::sim {

// A share of all transfers, in 1/10000, is no longer than so much.
struct SizePoint {
    int64_t octets;
    int64_t share;
};

std::span<const SizePoint> websearch_sizes();
std::span<const SizePoint> hadoop_sizes();

class FlowSizes {
  public:
    FlowSizes() = default;
    // `points`: from a share of 0 to one of 10000.
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
