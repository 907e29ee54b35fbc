// CreditUpdate: what an end of a link by credit sends to the other: the limits that it advertises,
// and the credit that it has consumed; and the frame that carries both.
//
//   destination 6 | source 6 | 88 B5 | "SLCRED" 6 | version 1 | lossless 1 | present 1
//   | flags 1 (1: on credit, 2: counts, 4: leaves, 8: answers) | session 4 | peer's session 4
//   | number 4 | buffer 4 | cell 4
//   then of each priority that is present, from the lowest: limit 4 | consumed 4; zeros up to 60
//
// The destination is 01-80-C2-00-00-0E, the nearest bridge, so that no bridge forwards it (802.1Q
// table 8-1). The EtherType is the one that 802 leaves for experiments, with our own identifier
// behind it. MAC control has an opcode for organisations (802.3 annex 31C), but NICs do not pass
// MAC control to software. The frame has no tag. With eight priorities it is 108 octets.
// A valid update has a session, a buffer of at most `largest_credit_buffer`, a cell size that fits
// it, and counts for each lossless priority. Octets behind the counts are ignored.
// Follows InfiniBand's flow control packets, with total blocks sent and credit limit of a virtual
// lane in one (Architecture Specification, volume 1, 7.9.4).
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
    uint32_t session = 0;       // the sender's, in which it counts; never 0
    uint32_t peer_session = 0;  // that of the other end to which this is said; 0: none yet
    uint32_t number = 0;        // of the update in its session, modulo 2^32
    CreditTerms terms{};        // of what it receives
    bool on_credit = false;     // from here on it sends on credit alone
    bool counts = false;        // and it has received that of the other, so its limits hold
    bool leaves = false;        // it goes by credit no more, and ignores what is said to it
    bool answers = false;       // that it received that, or does not listen; nobody answers this
    PrioritySet present = 0;    // whose counters are here; the others are 0
    CreditCounts limits{};
    CreditCounts consumed{};

    friend bool operator==(const CreditUpdate&, const CreditUpdate&) = default;
};

inline constexpr MacAddress credit_update_address = lldp_address;
inline constexpr uint16_t credit_update_ether_type = experimental_ether_type;
inline constexpr std::size_t longest_credit_update = 108;

// Returns how many octets the frame has, at least 60.
std::size_t write_credit_update(std::span<uint8_t, longest_credit_update> octets, MacAddress source,
                                const CreditUpdate& update);
// Reads a whole frame without FCS. Empty: the frame is no valid update.
std::optional<CreditUpdate> read_credit_update(std::span<const uint8_t> octets);

}  // namespace sluice
