// CreditUpdate: the message between the ends of a link with credit, and its frame. It carries the
// limits that the sending end advertises, and the credit that it has consumed.
//
//   destination 6 | source 6 | 88 B5 | "SLCRED" 6 | version 1 | lossless 1 | present 1
//   | flags 1 (1: on credit, 2: counts, 4: leaves, 8: answers) | session 4 | peer's session 4
//   | number 4 | buffer 4 | cell 4
//   then for each priority that is present, from the lowest: limit 4 | consumed 4; zeros up to 60
//
// The destination is 01-80-C2-00-00-0E, the nearest bridge, so that no bridge forwards it (802.1Q
// table 8-1). The EtherType is the one that 802 reserves for experiments, followed by our own
// identifier. MAC control has an opcode for organisations (802.3 annex 31C), but NICs do not pass
// MAC control to software. The frame has no tag. With eight priorities it has 108 octets.
// A valid update has a session, a buffer of at most `largest_credit_buffer`, a cell size of at most
// the buffer, and counts for each lossless priority. Octets after the counts are ignored.
// Follows InfiniBand's flow control packets, which carry both the total blocks sent and the credit
// limit of a virtual lane (Architecture Specification, volume 1, 7.9.4).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "dataplane/credits/credit_terms.h"
#include "dataplane/types/address.h"
#include "dataplane/types/experimental_ether_type.h"

namespace sluice {

struct CreditUpdate {
    uint32_t session = 0;       // session in which the sender counts; not 0
    uint32_t peer_session = 0;  // session of the receiver, as the sender knows it; 0: none yet
    uint32_t number = 0;        // number of the update in its session, modulo 2^32
    CreditTerms terms{};        // terms of the direction in which the sender receives
    bool on_credit = false;     // the sender sends only on credit from this update on
    bool counts = false;        // the sender received `on_credit` of its peer: the limits are valid
    bool leaves = false;        // the sender stops using credit, and ignores updates
    bool answers = false;       // answers `leaves`, or an update to an end that does not use credit
    PrioritySet present = 0;    // priorities whose counters are present; others are 0
    CreditCounts limits{};
    CreditCounts consumed{};

    friend bool operator==(const CreditUpdate&, const CreditUpdate&) = default;
};

inline constexpr MacAddress credit_update_address = lldp_address;
inline constexpr uint16_t credit_update_ether_type = experimental_ether_type;
inline constexpr std::size_t longest_credit_update = 108;

// Writes the frame. Returns its length, at least 60.
std::size_t write_credit_update(std::span<uint8_t, longest_credit_update> octets, MacAddress source,
                                const CreditUpdate& update);
// Reads a whole frame without FCS. Returns none if the frame is not a valid update.
std::optional<CreditUpdate> read_credit_update(std::span<const uint8_t> octets);

}  // namespace sluice
