// RetryLink: links in a row, in slots of a cell, that lose cells, under what holds a sender and
// what sends again.
//
// A source has a cell in a slot by chance (`offered`), the links carry a cell a slot each, and a
// sink takes one a slot, but for stalls. Between them are buffers that are never full where flow
// control keeps its promise. What there is:
//   pfc         XOFF and XON by the buffer behind each link; a cell that is lost is lost
//   retry       the same, and each link sends again what it lost and what came behind it
//               (go-back-N; dataplane/retry)
//   selective   the same, but what came behind is kept by the receiver, and what it lost goes alone
//   credit      credits in place of XOFF and XON, and retry; a cell sent again costs none
//   cbfc        UEC-style credits (cbfc.h) and retry; a cell sent again costs none
//   cbfc_alone  the same without retry; a cell that is lost is lost, its credit comes back
//   end_to_end  PFC on each link, and the source sends again to the sink: one retry over all links,
//               whose wire loses as often as all of them
// Signals go back a slot each, with all a receiver has to say, and are lost as often as cells,
// unless faults are `one_way`; the levels of XOFF and XON and credit limits are absolute and said
// each `refresh` slots, so that a lost one heals. CBFC's updates have spacings of their own; cell n
// is of VC n modulo `vcs`, and buffers are FIFOs: a cell without credit is in the way of those of
// other VCs behind it.
// In each slot, link by link from the sink on: signals reach the sender, cells reach the receiver,
// the sender sends, the receiver says what it has to say.
// Bound: a slot costs as much as there are links. M/G/1 with retry: `mean_delay_by_formula`.
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
    unsigned delay = 20;   // slots one way, at least 1
    double offered = 0.8;  // cells a slot, 0 to 1
    WireFaults faults;
    bool one_way = false;
    unsigned refresh = 8;  // slots
    CbfcSettings cbfc;
    uint32_t replays = 0;  // of the oldest cell, before what waits is given up; 0: any number
    uint64_t stall_every = 5000;  // slots, 0: never
    uint64_t stall_for = 100;
    uint64_t slots = 1'000'000;
    uint64_t seed = 1;
};

// With retry: slots from the start of a cell to the start of its retransmission, if the receiver
// found it damaged (one round trip).
unsigned slots_of_a_loop(const RetryLinkSettings& settings);
// Cells that a buffer has room for.
unsigned room_of(const RetryLinkSettings& settings);

struct RetryLinkOutcome {
    uint64_t given = 0;         // by the source
    uint64_t delivered = 0;     // once, in order
    uint64_t lost = 0;          // others came behind them, and they did not
    uint64_t doubled = 0;       // taken once more
    uint64_t out_of_order = 0;  // taken behind one that was sent later
    uint64_t overflowed = 0;    // lost ones that found no room
    double goodput = 0;         // delivered cells a slot
    double mean_delay = 0;      // slots, from the source's giving it to the sink's taking it
    uint64_t delay_p50 = 0;
    uint64_t delay_p99 = 0;
    uint64_t most_kept = 0;          // at a sender, to be sent again
    uint64_t most_buffered = 0;      // behind a link
    uint64_t most_behind_a_gap = 0;  // at a receiver that keeps them
    uint64_t cells_again = 0;        // sent again, each time counted
    uint64_t replays = 0;
    uint64_t timeouts = 0;
    uint64_t flushes = 0;
    uint64_t cc_updates = 0;  // CBFC's, sent
    uint64_t cf_updates = 0;
    int64_t credits_recovered = 0;  // by CC_Updates
};
RetryLinkOutcome simulate(const RetryLinkSettings& settings);

// The formula for one link with retry that loses by chance alone and in one direction, whose
// receiver sees damage, and whose sink has no stalls: a queue Geo/G/1, in which a cell is served
// for a slot, and for a loop more each time that it is lost. Nothing if that queue grows without
// end.
std::optional<double> mean_delay_by_formula(const RetryLinkSettings& settings);

}  // namespace sluice::sim
