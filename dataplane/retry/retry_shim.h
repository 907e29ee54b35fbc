// RetryShim: the octets of a link with retry: what goes before a frame that has a number, and the
// frames by which both ends talk.
//
//   destination 6 | source 6 | EtherType 88-B5 2 | "SLR" 3 | kind 1 | session 4 | zeros 8 bits |
//   class 4 bits | number 20 bits | order 4 | length 2 | the frame, or runs, of `length` octets
//   a run: first order 4 | transmissions 2
//
// A frame goes as it is, tags and all, behind a header of its own: so nothing in it is moved or
// rewritten, and what is kept of it is what went. The destination is that of LLDP, which no bridge
// passes on: a bridge between two ends drops such frames, and does not spread them. The EtherType
// is the one for local experiments (802 9.2), as in updates of credit, which "SLR" and a kind tell
// apart. `kind` has the version in its upper four bits. `length` is there since a device fills a
// short frame up. The class is the sender's priority, by which the receiver's pauses stop it, or 8.
// A frame that says nothing sensible is none.
// Bound: O(1), and O(runs). Not done here: whether a number is the next (retry_receiver.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "dataplane/retry/retry_answer.h"
#include "dataplane/retry/retry_sequence.h"
#include "dataplane/types/address.h"

namespace sluice {

enum class RetryKind : uint8_t {
    data = 1,
    begin = 2,    // it asks the receiver to begin this session
    ack = 3,      // up to `number` all came; runs of transmissions that did not
    nack = 4,     // likewise, for the first time; without runs all from `order` on
    unknown = 5,  // the receiver is in no such session
};

struct RetryShim {
    RetryKind kind = RetryKind::data;
    uint32_t session = 0;
    uint8_t traffic_class = 0;  // of a frame (ReplayQueue)
    RetrySequence number;
    uint32_t order = 0;   // of frames and NACKs (RetryOrder)
    uint16_t length = 0;  // of what is behind it; 0: nothing

    friend bool operator==(const RetryShim&, const RetryShim&) = default;
};

inline constexpr std::size_t retry_shim_octets = 32;
inline constexpr std::size_t retry_run_octets = 6;
inline constexpr std::size_t retry_signal_octets = 60;  // of a frame with nothing in it
inline constexpr std::size_t longest_retry_signal =
    retry_shim_octets + RetryRuns::most * retry_run_octets;

void write_retry_shim(std::span<uint8_t, retry_shim_octets> octets, MacAddress source,
                      const RetryShim& shim);
// Of one that was written: the order by which it goes now.
void write_retry_order(std::span<uint8_t, retry_shim_octets> octets, uint32_t order);
// An answer and its runs; returns its octets, filled up with zeros as far as a frame needs.
std::span<const uint8_t> write_retry_answer(std::span<uint8_t, longest_retry_signal> octets,
                                            MacAddress source, const RetryAnswer& answer);
// Whether a whole frame without FCS is one of these, whatever it says.
bool is_of_retry(std::span<const uint8_t> octets);
// None: it is none of these, or damaged.
std::optional<RetryShim> read_retry_shim(std::span<const uint8_t> octets);
// Of an ACK or NACK that was read from there.
RetryAnswer read_retry_answer(std::span<const uint8_t> octets, const RetryShim& shim);

}  // namespace sluice
