// RetryShim: the octets of a link with retry: what goes before a frame that has a number, and the
// frames by which both ends talk.
//
//   destination 6 | source 6 | EtherType 88-B5 2 | "SLR" 3 | kind 1 | session 4 |
//   round 12 bits | number 20 bits | length 2 | the frame, of `length` octets, or nothing
//
// A frame goes as it is, tags and all, behind a header of its own: so nothing in it is moved or
// rewritten, and what is kept of it is what went. The destination is that of LLDP, which no bridge
// passes on: a bridge between two ends drops such frames, and does not spread them. The EtherType
// is the one for local experiments (802 9.2), as in updates of credit, which "SLR" and a kind tell
// apart. `kind` has the version in its upper four bits. `length` is there since a device fills a
// short frame up. A frame that says nothing sensible is none.
// Bound: O(1). Not done here: whether a number is the next (retry_receiver.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "dataplane/retry/retry_sequence.h"
#include "dataplane/types/address.h"

namespace sluice {

enum class RetryKind : uint8_t {
    data = 1,
    begin = 2,    // it asks the receiver to begin this session
    ack = 3,      // up to `number` all came
    nack = 4,     // and what follows is to come again
    unknown = 5,  // the receiver is in no such session
};

struct RetryShim {
    RetryKind kind = RetryKind::data;
    uint32_t session = 0;
    RetrySequence number;
    uint32_t round = 0;   // of frames and NACKs (RetryRound)
    uint16_t length = 0;  // of the frame behind it; 0: there is none

    friend bool operator==(const RetryShim&, const RetryShim&) = default;
};

inline constexpr std::size_t retry_shim_octets = 28;
inline constexpr std::size_t retry_signal_octets = 60;  // of a frame without another in it

void write_retry_shim(std::span<uint8_t, retry_shim_octets> octets, MacAddress source,
                      const RetryShim& shim);
// Of one that was written: the round in which it goes now.
void write_retry_round(std::span<uint8_t, retry_shim_octets> octets, RetrySequence number,
                       uint32_t round);
// Whether a whole frame without FCS is one of these, whatever it says.
bool is_of_retry(std::span<const uint8_t> octets);
// None: it is none of these, or damaged.
std::optional<RetryShim> read_retry_shim(std::span<const uint8_t> octets);

}  // namespace sluice
