// Aggregations: ports that form one bridge port together, and the choice of the port that a frame
// leaves by.
//
// For the FDB, VLANs and floods an aggregation is its representative, the lowest of its members:
// addresses are learned there, and a set of outputs holds that bit alone, as long as any member has
// link. A frame leaves by the member that its flow chooses (flow.h) while that member has link. The
// flows of a member without link move to other members; the flows of those members stay.
// Bound: O(1) a frame, O(aggregations) a flooded frame, and O(members) where the chosen member has
// no link; O(aggregations) a burst.
// A member that LACP detached counts as a member without link.
// Not done here: LACP (control/lacp); holding flows that move to another member
// (distribution_hold.h). Follows 802.1AX 6.2.3 (collector) and 6.2.4 (distributor).
#pragma once

#include <array>
#include <bit>
#include <cassert>
#include <cstdint>
#include <span>

#include "dataplane/types/limits.h"
#include "dataplane/types/settings.h"

namespace sluice {

class Aggregations {
  public:
    explicit Aggregations(std::span<const AggregationSettings> all = {}) {
        for (PortIndex port = 0; port < max_ports; ++port) bridge_port_[port] = port;
        uint8_t next = 0;
        for (const AggregationSettings& aggregation : all) {
            assert((aggregation.members & aggregated_) == 0 && "a port is in one aggregation");
            const PortIndex self = first_of(aggregation.members);
            Group& group = groups_[self];
            group = {.members = aggregation.members, .hash = aggregation.hash, .first = next};
            for_each_port(aggregation.members, [&](PortIndex member) {
                bridge_port_[member] = self;
                order_[next++] = member;
            });
            representatives_ |= only(self);
            aggregated_ |= aggregation.members;
        }
    }

    [[nodiscard]] bool any() const { return aggregated_ != 0; }
    // The port itself, or the representative of its aggregation.
    [[nodiscard]] PortIndex bridge_port(PortIndex port) const { return bridge_port_[port]; }
    // The other members of the port's aggregation.
    [[nodiscard]] PortSet others(PortIndex port) const {
        return groups_[bridge_port_[port]].members & ~only(port);
    }
    // The ports whose flows `port` takes over when the aggregations change from `before` to these:
    // the previous members of the aggregation that its first member was in before (or that member
    // alone), unless a lower one of these is now in another aggregation. All ports are assumed to
    // have link and to use the same hash. Members take their parts of all flows in the order of
    // their numbers, before and now, so no member takes over from a member that itself takes over
    // from it.
    [[nodiscard]] PortSet takes_over_from(PortIndex port, const Aggregations& before) const {
        const PortIndex self = bridge_port_[port];
        const PortSet now = groups_[self].members;
        if (now == 0) return 0;
        const PortSet together = before.groups_[before.bridge_port_[self]].members;
        const PortSet then = together != 0 ? together : only(self);
        if ((only(first_of(then & aggregated_)) & now) == 0) return 0;
        const int parts_now = std::popcount(now);
        const int parts_then = std::popcount(then);
        const int place = std::popcount(now & first_ports(port));
        PortSet from = 0;
        int its_place = 0;
        for_each_port(then, [&](PortIndex member) {
            const bool overlap = its_place * parts_now < (place + 1) * parts_then &&
                                 place * parts_then < (its_place + 1) * parts_now;
            if (overlap) from |= only(member);
            ++its_place;
        });
        return from & ~only(port);
    }
    // Maps ports with link to bridge ports with link.
    [[nodiscard]] PortSet bridge_ports(PortSet links) const {
        PortSet ports = links & ~aggregated_;
        for_each_port(representatives_, [&](PortIndex self) {
            if ((links & groups_[self].members) != 0) ports |= only(self);
        });
        return ports;
    }

    // The ports that send for these bridge ports, each of which has link. A member of an
    // aggregation is chosen by `flow`, which returns the frame's hash under a DistributionHash.
    template <class FlowOf>
    [[nodiscard]] PortSet senders(PortSet bridge_ports, PortSet links, FlowOf flow) const {
        PortSet ports = bridge_ports & ~representatives_;
        for_each_port(bridge_ports & representatives_, [&](PortIndex self) {
            const Group& group = groups_[self];
            ports |= only(member_for(group, links, flow(group.hash)));
        });
        return ports;
    }

  private:
    // Stored at the index of the representative.
    struct Group {
        PortSet members = 0;
        DistributionHash hash = DistributionHash::l4;
        uint8_t first = 0;  // of its members in `order_`
    };

    [[nodiscard]] PortIndex member_for(const Group& group, PortSet links, uint64_t flow) const {
        const auto place = share(flow >> 32, group.members);
        const PortIndex chosen = order_[group.first + place];
        if ((links & only(chosen)) != 0) [[likely]]
            return chosen;
        PortSet left = group.members & links;
        assert(left != 0 && "a bridge port with link has a member with link");
        for (auto skipped = share(flow & 0xFFFF'FFFF, left); skipped > 0; --skipped) {
            left &= left - 1;
        }
        return first_of(left);
    }
    // Maps 32 bits to as many places as there are ports.
    static std::size_t share(uint64_t bits, PortSet ports) {
        return static_cast<std::size_t>(bits * static_cast<uint64_t>(std::popcount(ports)) >> 32);
    }

    PortSet representatives_ = 0;
    PortSet aggregated_ = 0;
    std::array<PortIndex, max_ports> bridge_port_{};
    std::array<PortIndex, max_ports> order_{};  // members, an aggregation after the other
    std::array<Group, max_ports> groups_;
};

}  // namespace sluice
