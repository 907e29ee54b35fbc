// RetryLink: simulates a chain of links that lose cells, in time slots of one cell, under each
// combination of flow control and retransmission.
//
// In each slot a source has a cell with probability `offered`, each link carries one cell, and a
// sink takes one cell, except while it stalls. Before each link and the sink is a buffer, which
// never overflows if flow control works. Schemes:
//   pfc         XOFF and XON by the level of the buffer after each link; lost cells stay lost
//   retry       PFC, and each link resends a lost cell and all cells after it (go-back-N;
//               dataplane/retry)
//   selective   PFC, and each link resends only lost cells; its receiver keeps the cells after them
//   credit      credits instead of XOFF and XON, and retry; a resent cell costs no credit
//   cbfc        UEC-style credits (cbfc.h) and retry; a resent cell costs no credit
//   cbfc_alone  UEC-style credits without retry; lost cells stay lost, their credit returns
//   end_to_end  PFC on each link, and the source resends to the sink: one retry over all links,
//               with the loss of all of them
// A signal takes one slot and carries the whole state of the receiver. Signals are lost as often as
// cells, unless faults are `one_way`. The levels of XOFF and XON and credit limits are absolute and
// are sent every `refresh` slots, so that a lost signal is made good. CBFC's updates have their own
// spacings; cell n is in VC n modulo `vcs`, and buffers are FIFOs: a cell without credit blocks
// later cells of other VCs.
// Each slot handles the links one by one, from the sink on: signals reach the sender, cells reach
// the receiver, the sender sends a cell, the receiver sends a signal.
// Bound: the cost of a slot grows with the number of links. `mean_delay_by_formula` has the theory.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "tools/sim/retry/cbfc.h"
#include "tools/sim/retry/lossy_wire.h"

namespace sluice::sim {

enum class LinkRecovery : uint8_t { pfc, retry, selective, credit, cbfc, cbfc_alone, end_to_end };

struct NamedRecovery {
    LinkRecovery recovery;
    std::string_view name;
};
inline constexpr std::array link_recoveries = {
    NamedRecovery{LinkRecovery::pfc, "pfc"},
    NamedRecovery{LinkRecovery::retry, "retry"},
    NamedRecovery{LinkRecovery::selective, "selective"},
    NamedRecovery{LinkRecovery::credit, "credit"},
    NamedRecovery{LinkRecovery::cbfc, "cbfc"},
    NamedRecovery{LinkRecovery::cbfc_alone, "cbfc_alone"},
    NamedRecovery{LinkRecovery::end_to_end, "end_to_end"}};

struct RetryLinkSettings {
    LinkRecovery recovery = LinkRecovery::retry;
    unsigned links = 1;
    unsigned delay = 20;   // slots in one direction, at least 1
    double offered = 0.8;  // cells a slot, 0 to 1
    WireFaults faults;
    bool one_way = false;
    unsigned refresh = 8;  // slots
    CbfcSettings cbfc;
    // Most replays of the oldest cell; after these, the sender drops the cells that it keeps. 0
    // means no limit.
    uint32_t replays = 0;
    uint64_t stall_every = 5000;  // slots; 0 never stalls
    uint64_t stall_for = 100;
    uint64_t slots = 1'000'000;
    uint64_t seed = 1;
};

// Returns, for links with retry, the slots from the start of a cell to the start of its
// retransmission, if the receiver found it damaged: one round trip.
unsigned slots_of_a_loop(const RetryLinkSettings& settings);
// Returns the cells that a buffer has room for.
unsigned room_of(const RetryLinkSettings& settings);

struct RetryLinkOutcome {
    uint64_t given = 0;         // cells from the source
    uint64_t delivered = 0;     // cells that the sink took, without repetitions
    uint64_t lost = 0;          // cells that did not arrive although later ones did
    uint64_t doubled = 0;       // cells that arrived more than once
    uint64_t out_of_order = 0;  // cells that arrived after a later one
    uint64_t overflowed = 0;    // cells that were lost because a buffer was full
    double goodput = 0;         // delivered cells a slot
    double mean_delay = 0;      // slots from the source to the sink
    uint64_t delay_p50 = 0;
    uint64_t delay_p99 = 0;
    uint64_t most_kept = 0;          // most cells that a sender kept for retransmission
    uint64_t most_buffered = 0;      // most cells in a buffer
    uint64_t most_behind_a_gap = 0;  // most cells that a receiver kept after a gap
    uint64_t cells_again = 0;        // retransmissions of cells
    uint64_t replays = 0;
    uint64_t timeouts = 0;
    uint64_t flushes = 0;
    uint64_t cc_updates = 0;  // CC_Updates that were sent
    uint64_t cf_updates = 0;
    int64_t credits_recovered = 0;  // recovered by CC_Updates
};
RetryLinkOutcome simulate(const RetryLinkSettings& settings);

// Returns the mean delay of one link with retry by a formula. It assumes that cells are lost
// independently and in one direction, that the receiver sees damage, and that the sink does not
// stall: a queue Geo/G/1, in which a cell is served for one slot, and for one more loop each time
// that it is lost. Returns nothing if that queue grows without limit.
std::optional<double> mean_delay_by_formula(const RetryLinkSettings& settings);

}  // namespace sluice::sim
