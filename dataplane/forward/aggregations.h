// Aggregations: groups of ports that form one bridge port, and the choice of the member that sends
// a frame.
//
// The FDB, VLANs and floods know an aggregation by its representative, its lowest member: addresses
// are learned at the representative, and a set of outputs has only its bit, as long as any member
// has link. The flow of a frame (flow.h) selects the member that sends it, if that member has link.
// The flows of a member without link move to other members, whose own flows do not move.
// A member that LACP detached counts as a member without link.
// Bound: O(1) a frame, O(aggregations) a flooded frame, and O(members) if the selected member has
// no link; O(aggregations) a burst.
// Not here: LACP (control/lacp); holding flows that move to another member (distribution_hold.h).
// Follows 802.1AX 6.2.3 (collector) and 6.2.4 (distributor).
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
    // Returns the representative of the port's aggregation, or the port itself if it is in none.
    [[nodiscard]] PortIndex bridge_port(PortIndex port) const { return bridge_port_[port]; }
    // Returns the other members of the port's aggregation.
    [[nodiscard]] PortSet others(PortIndex port) const {
        return groups_[bridge_port_[port]].members & ~only(port);
    }
    // Returns the ports whose flows `port` takes over when the aggregations change from `before` to
    // these. The old group is the one that the representative of `port` had in `before` (itself, if
    // it was in none). Of the old group's members that are in an aggregation now, the lowest
    // decides: unless that member is in the aggregation of `port`, nothing is taken over. Each
    // group gives its members equal parts of all flows, in the order of their numbers; `port` takes
    // over from the old members whose part overlaps its own, so two members never take over from
    // each other. Assumes that all ports have link and use the same hash.
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

    // Returns the ports that send for these bridge ports, each of which has link. `flow` returns
    // the frame's hash under a DistributionHash, which selects the member of an aggregation.
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
    // An aggregation, stored at the index of its representative.
    struct Group {
        PortSet members = 0;
        DistributionHash hash = DistributionHash::l4;
        uint8_t first = 0;  // index of the first member in `order_`
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
    // Maps 32 bits to an index below the number of ports.
    static std::size_t share(uint64_t bits, PortSet ports) {
        return static_cast<std::size_t>(bits * static_cast<uint64_t>(std::popcount(ports)) >> 32);
    }

    PortSet representatives_ = 0;
    PortSet aggregated_ = 0;
    std::array<PortIndex, max_ports> bridge_port_{};
    std::array<PortIndex, max_ports> order_{};  // members, sorted by aggregation
    std::array<Group, max_ports> groups_;
};

}  // namespace sluice
