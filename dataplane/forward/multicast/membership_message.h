// MembershipMessage: reads from a frame of IGMP or MLD the data that snooping needs.
//
//   IGMP v1, v2, v3   RFC 1112 appendix I, RFC 2236, RFC 3376   IPv4, protocol 2, any options
//   MLD v1, v2        RFC 2710, RFC 3810   ICMPv6 130, 131, 132 and 143 after hop-by-hop options
//   routers           PIM Hello (RFC 7761 4.9.2) to 224.0.0.13 or ff02::d, and MRD's advertisement
//                     (RFC 4286), IGMP 0x30 and ICMPv6 151
//
// Reading starts at the IP header. Every read is inside the frame and inside the lengths in the
// headers. In a valid message all records are complete and the checksums are right, that of an IPv4
// header included. A valid MLD message also has a link-local source (a report may have the
// unspecified one), hop limit 1 and a router alert. Other messages are `damaged` and ignored
// (RFC 4541 2.1.1).
//
// A group is identified by the MAC address of its frames, which 32 groups of IPv4 and many more of
// IPv6 share. The meaning of a record (RFC 3376 4.2.12):
//   joins     a report of v1 or v2; IS_EX, TO_EX: the group, from any source
//   leaves    a leave (IGMP) or done (MLD); TO_IN without a source
//   includes  IS_IN and ALLOW with sources: these sources are added
//   narrows   TO_IN with sources: only these sources are kept
//   blocks    BLOCK with sources: these sources are removed
// Groups whose frames are always flooded are skipped: `goes_to_all`. A PIM message that is not a
// valid Hello is `none`, and is forwarded like any frame for its group.
// Bound: one pass over the octets. Not here: reassembly. Hosts send no fragments; a fragment is
// `other`.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "dataplane/types/address.h"
#include "dataplane/types/settings.h"

namespace sluice {

// Whether frames for a group are always flooded: 01-00-5E-00-00-xx (224.0.0.x, RFC 4541 2.1.2),
// 33-33-00-00-00-01 (all nodes) and 33-33-FF-xx-xx-xx (solicited nodes, needed for neighbour
// discovery).
constexpr bool goes_to_all(MacAddress group) {
    return group.bits >> 8 == 0x01005E0000 || group.bits == 0x333300000001 ||
           group.bits >> 24 == 0x3333FF;
}
// Returns the protocol whose reports announce a group; none if it is not a group of IP.
constexpr std::optional<GroupProtocol> protocol_of(MacAddress group) {
    if (group.bits >> 23 == 0x01005E000000 >> 23) return GroupProtocol::igmp;
    if (group.bits >> 32 == 0x3333) return GroupProtocol::mld;
    return {};
}

// The source of a group's frames; an IPv4 address is in the last four octets.
struct GroupSource {
    uint64_t high = 0;
    uint64_t low = 0;
    friend bool operator==(const GroupSource&, const GroupSource&) = default;
};

constexpr GroupSource read_source(std::span<const uint8_t> octets) {
    GroupSource source;
    for (const uint8_t octet : octets) {
        source = {source.high << 8 | source.low >> 56, source.low << 8 | octet};
    }
    return source;
}

struct MembershipChange {
    enum class Says : uint8_t { joins, leaves, includes, narrows, blocks };

    MacAddress group;
    std::span<const uint8_t> address = {};  // IP address of the group
    Says says = Says::joins;
    std::span<const uint8_t> sources = {};  // only for includes, narrows and blocks
    std::size_t address_size = 4;

    [[nodiscard]] std::size_t source_count() const { return sources.size() / address_size; }
    template <class Visit>
    void for_each_source(Visit visit) const {
        for (std::size_t at = 0; at < sources.size(); at += address_size) {
            visit(read_source(sources.subspan(at, address_size)));
        }
    }
};

class MembershipMessage {
  public:
    enum class Kind : uint8_t {
        none,     // neither IGMP nor MLD
        other,    // IGMP or MLD of an unknown type: flooded (RFC 4541 2.1.1)
        damaged,  // ignored
        query,
        announcement,  // a router's PIM Hello or MRD advertisement
        report,        // a report or a leave
    };

    Kind kind = Kind::none;
    GroupProtocol protocol = GroupProtocol::igmp;
    // Whether the message is a query or announcement with a valid source address.
    bool from_router = false;
    bool lasting = false;     // whether the message is of IGMP v1, whose hosts send no leaves
    GroupSource sender = {};  // source address of a query or announcement
    uint32_t interval_s = 0;  // query interval in a query; 0: none (before version 3)

    // For a report: visits the changes in order.
    template <class Visit>
    void for_each_change(Visit visit) const {
        if (alone_.group.bits != 0) visit(alone_);
        for (Records left{records_, count_}; left.count > 0;) {
            const MembershipChange change = next(left);
            if (change.group.bits != 0) visit(change);
        }
    }

  private:
    friend class MembershipReader;

    struct Records {
        std::span<const uint8_t> octets;
        unsigned count;
    };
    // Removes and returns the first of `records`. Requires that all are complete. The result has
    // group 0 if the record must be skipped.
    [[nodiscard]] MembershipChange next(Records& records) const;

    MembershipChange alone_{};          // the change in a report without records
    std::span<const uint8_t> records_;  // the records of a report of several groups
    unsigned count_ = 0;
};

// Reads octets that start with an IP header. The octets must live as long as the message.
MembershipMessage read_membership(std::span<const uint8_t> network);

}  // namespace sluice
