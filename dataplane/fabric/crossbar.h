// Crossbar: who asks for what, who may move now, and the way across between workers.
//
// A VOQ belongs to the worker of its input, an egress queue to the worker of its output. Worker 0
// matches. Each of these words has one writer at a time:
//   requests    input's worker    a bit a VOQ that holds frames
//   offers      output's worker   priorities with room, and how many grants it has absorbed
//   grants      the arbiter       the output and priority an input is to serve next
//   executed    input's worker    how many grants it has carried out
//   mailboxes   the frames of a grant whose two ports belong to different workers; filled by the
//               input's worker, emptied by the output's
// An input is free once it executed its last grant, an output once it absorbed its last one. So a
// slow worker holds up only its own ports, at most one grant is under way for each port, and a
// mailbox needs room for one transfer and no lock.
// Bound: a slot reads the requests of the ports once. With several workers their bits are merged
// first: workers x ports x 8 words.
// Not done here: queues (ingress, egress); how to match (matching.h).
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "dataplane/counters.h"
#include "dataplane/fabric/islip.h"
#include "dataplane/fabric/matching.h"
#include "dataplane/frame.h"
#include "dataplane/limits.h"
#include "dataplane/settings.h"

namespace sluice {

// The most frames that one grant moves.
inline constexpr std::size_t max_transfer = 64;

struct Grant {
    PortIndex output;
    Priority priority;
};

class Crossbar {
  public:
    Crossbar(const FabricSettings& settings, std::size_t ports, uint8_t workers);
    void configure(const FabricSettings& settings);

    // --- the input's worker ---------------------------------------------------------------------
    void request(WorkerIndex worker, PortIndex input, PortIndex output, Priority priority);
    void withdraw(WorkerIndex worker, PortIndex input, PortIndex output, Priority priority);
    // The grant that `input` has not executed yet.
    [[nodiscard]] std::optional<Grant> grant_of(PortIndex input) const;
    void executed(PortIndex input, std::size_t frames);

    // --- the output's worker --------------------------------------------------------------------
    // `grants` more were absorbed since the last offer.
    void offer(PortIndex output, PrioritySet room, uint32_t grants);

    // --- between workers ------------------------------------------------------------------------
    // The place for the frames of a grant to `output`; then `post`.
    [[nodiscard]] std::span<Frame, max_transfer> mailbox(PortIndex output) {
        return mailboxes_[output].frames;
    }
    void post(PortIndex output, std::size_t frames);
    // What was posted and not yet collected; `collected` must follow.
    [[nodiscard]] std::optional<std::span<const Frame>> collect(PortIndex output) const;
    void collected(PortIndex output);

    // --- the arbiter ----------------------------------------------------------------------------
    std::size_t match();

    // --- what can be seen -----------------------------------------------------------------------
    [[nodiscard]] bool idle() const;  // no VOQ holds frames, and no grant is under way
    [[nodiscard]] uint64_t slots() const { return slots_.value(); }
    [[nodiscard]] uint64_t pairs() const { return pairs_.value(); }
    [[nodiscard]] uint64_t frames() const;
    // Matchings of `pairs` pairs, 0 to the number of ports.
    [[nodiscard]] uint64_t slots_with(std::size_t pairs) const { return sizes_[pairs].value(); }

  private:
    struct alignas(64) InputState {  // written by the input's worker
        std::atomic<uint32_t> executed{0};
        Counter frames;
    };
    struct alignas(64) Mailbox {
        std::atomic<uint32_t> posted{0};
        uint32_t count = 0;
        std::array<Frame, max_transfer> frames;
        alignas(64) std::atomic<uint32_t> collected{0};
    };
    struct alignas(64) RequestShard {
        std::array<RequestRow, max_ports> rows;  // only through atomic_ref while workers run
        std::atomic<uint32_t> backlogged{0};     // VOQs with frames
    };
    // What the arbiter tells an input: the serial number of the grant, output and priority.
    static constexpr uint32_t pack(uint32_t serial, Grant grant) {
        return serial << 16 | uint32_t{grant.output} << 8 | grant.priority;
    }

    [[nodiscard]] bool anything_requested() const;
    void gather_requests();
    Priority next_favourite();

    std::size_t ports_;
    uint8_t workers_;
    Islip matcher_;
    // Smooth weighted rotation over priorities for CrossbarRule::weighted; empty for strict.
    std::array<Priority, 128> rotation_{};
    std::size_t rotation_length_ = 0;
    std::size_t rotation_at_ = 0;

    std::vector<RequestShard> shards_;
    std::vector<RequestRow> merged_;  // by the arbiter, with several workers
    std::vector<InputState> inputs_;
    std::unique_ptr<Mailbox[]> mailboxes_;
    std::array<std::atomic<uint32_t>, max_ports> offers_{};  // absorbed << 8 | room
    std::array<std::atomic<uint32_t>, max_ports> grants_{};
    // The arbiter's own.
    std::array<uint32_t, max_ports> issued_to_input_{};
    std::array<uint32_t, max_ports> issued_to_output_{};
    Requests requests_;
    Matching matching_;
    Counter slots_;
    Counter pairs_;
    std::array<Counter, max_ports + 1> sizes_;
};

}  // namespace sluice
