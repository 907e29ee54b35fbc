// MembershipMessage: what a frame of IGMP or MLD reports about groups, as far as snooping needs it.
//
//   IGMP v1, v2, v3   RFC 1112 appendix I, RFC 2236, RFC 3376   IPv4, protocol 2, any options
//   MLD v1, v2        RFC 2710, RFC 3810   ICMPv6 130, 131, 132 and 143 behind hop-by-hop options
//   routers           PIM Hello (RFC 7761 4.9.2) to 224.0.0.13 or ff02::d, and MRD's advertisement
//                     (RFC 4286), IGMP 0x30 and ICMPv6 151
//
// Read from the IP header on. Every read is inside the frame and inside what the headers say of
// their lengths. A valid message has all its records whole and the right checksum, also in the IPv4
// header. A message of MLD also comes from a link-local address (reports also from the unspecified
// one), with hop limit 1 and a router alert. Other messages are `damaged` and ignored (RFC 4541
// 2.1.1).
//
// A group is identified by the MAC address of its frames, which 32 groups of IPv4 and many more of
// IPv6 share. The meaning of a record (RFC 3376 4.2.12):
//   joins     a report of v1 or v2; IS_EX, TO_EX: the group, from any source
//   leaves    a leave (IGMP) or done (MLD); TO_IN without a source
//   includes  IS_IN and ALLOW with sources: these sources are added
//   narrows   TO_IN with sources: only these sources
//   blocks    BLOCK with sources: these sources no longer
// Groups whose frames are always flooded are skipped: `goes_to_all`. PIM messages that are no valid
// Hello are `none`, and are forwarded like any frame for their group.
// Bound: one pass over the octets. Not done here: fragments, which are not in use, are `other`.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "dataplane/types/address.h"
#include "dataplane/types/settings.h"

namespace sluice {

// For 01-00-5E-00-00-xx (224.0.0.x, RFC 4541 2.1.2), 33-33-00-00-00-01 (all nodes) and
// 33-33-FF-xx-xx-xx (solicited nodes: without them no host finds another).
constexpr bool goes_to_all(MacAddress group) {
    return group.bits >> 8 == 0x01005E0000 || group.bits == 0x333300000001 ||
           group.bits >> 24 == 0x3333FF;
}
// The protocol whose reports announce a group; empty if it is no group of IP.
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
    std::span<const uint8_t> address = {};  // of the group itself
    Says says = Says::joins;
    std::span<const uint8_t> sources = {};  // of the last three
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
        other,    // one of them, of no type that is known here: flooded (RFC 4541 2.1.1)
        damaged,  // not to be believed
        query,
        announcement,  // by a router: a PIM Hello, or MRD's advertisement
        report,        // or a leave
    };

    Kind kind = Kind::none;
    GroupProtocol protocol = GroupProtocol::igmp;
    bool from_router = false;  // a query, or an announcement, with the address of who sends it
    bool lasting = false;      // of IGMP v1, whose hosts do not say when they leave
    GroupSource sender = {};   // of a query, or an announcement
    uint32_t interval_s = 0;  // between queries, as a query says; 0: it does not (before version 3)

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
    // Takes the first of `records`, all of which are whole. Group 0: the record is skipped.
    [[nodiscard]] MembershipChange next(Records& records) const;

    MembershipChange alone_{};          // of a report of one group
    std::span<const uint8_t> records_;  // of a report of several
    unsigned count_ = 0;
};

// Reads octets that start with an IP header. The octets must live as long as the message.
MembershipMessage read_membership(std::span<const uint8_t> network);

}  // namespace sluice
