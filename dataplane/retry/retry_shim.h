// RetryShim: reads and writes the header before a numbered frame, and the frames that carry the
// answers and requests of both ends.
//
//   destination 6 | source 6 | EtherType 88-B5 2 | "SLR" 3 | kind 1 | session 4 | zeros 8 bits |
//   class 4 bits | number 20 bits | order 4 | length 2 | the frame, or runs, of `length` octets
//   a run: first order 4 | transmissions 2
//
// The header precedes the whole frame, whose addresses and tags stay in place, so the copy in the
// replay buffer equals the octets on the wire. The destination is LLDP's: bridges do not forward
// it, so a bridge between the two ends drops these frames and does not flood them. The EtherType is
// 802's for local experiments (802 9.2), also used by credit updates; "SLR" and the kind
// distinguish retry frames from these. The upper four bits of `kind` hold the version. `length` is
// needed because a device pads a short frame. The class is the sender's priority, which the
// receiver's PFC pauses; or 8 for none. A frame with an invalid header is not read.
// Bound: O(1), and O(runs) for answers. Not here: which number is expected (retry_receiver.h).
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
    begin = 2,    // requests the receiver to begin this session
    ack = 3,      // acknowledges frames up to `number`; its runs repeat those of NACKs
    nack = 4,     // as `ack`, with new runs; without runs, requests all from `order` on
    unknown = 5,  // reports that the receiver has no such session
};

struct RetryShim {
    RetryKind kind = RetryKind::data;
    uint32_t session = 0;
    uint8_t traffic_class = 0;  // traffic class of a numbered frame (ReplayQueue)
    RetrySequence number;
    uint32_t order = 0;   // RetryOrder of a numbered frame or of a NACK
    uint16_t length = 0;  // octets after the header, of the frame or of the runs

    friend bool operator==(const RetryShim&, const RetryShim&) = default;
};

inline constexpr std::size_t retry_shim_octets = 32;
inline constexpr std::size_t retry_run_octets = 6;
inline constexpr std::size_t retry_signal_octets = 60;  // shortest Ethernet frame without FCS
inline constexpr std::size_t longest_retry_signal =
    retry_shim_octets + RetryRuns::most * retry_run_octets;

void write_retry_shim(std::span<uint8_t, retry_shim_octets> octets, MacAddress source,
                      const RetryShim& shim);
// Sets the order in a header that was written before.
void write_retry_order(std::span<uint8_t, retry_shim_octets> octets, uint32_t order);
// Writes an answer with its runs. Returns its octets, padded to the shortest frame.
std::span<const uint8_t> write_retry_answer(std::span<uint8_t, longest_retry_signal> octets,
                                            MacAddress source, const RetryAnswer& answer);
// Whether a frame without FCS is a retry frame, valid or not.
bool is_of_retry(std::span<const uint8_t> octets);
// Returns the header, or none if the frame is not a valid retry frame.
std::optional<RetryShim> read_retry_shim(std::span<const uint8_t> octets);
// Returns the answer in `octets`, whose header `shim` is an ACK or NACK.
RetryAnswer read_retry_answer(std::span<const uint8_t> octets, const RetryShim& shim);

}  // namespace sluice
