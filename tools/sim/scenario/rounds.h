// Rounds: times groups of messages, from their start until the last octet arrives.
//
//   Incast     every sender answers each receiver, all at one moment, again every period
//   AllReduce  a ring (Patarasuk and Yuan, 2009): in each of 2 (N - 1) steps every host sends a
//              chunk to its successor, and begins the next step when it has received its
//              predecessor's; the next round begins when all hosts have done all steps
//   Transfers  each message is a round (transfers.h)
// A message that loses a frame is never complete: its round does not finish, and a ring stops.
// Bound: an incast waits for at most `Incast::open` rounds; if another one begins, the oldest
// counts as not finished, even if it is completed later.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "tools/sim/network/host.h"
#include "tools/sim/network/packet.h"
#include "tools/sim/network/picos.h"

namespace sluice::sim {

class Rounds {
  public:
    Rounds() = default;
    Rounds(const Rounds&) = delete;
    Rounds& operator=(const Rounds&) = delete;
    virtual ~Rounds() = default;

    // Counts a frame of the flow from host number `from` to host number `to`.
    virtual void arrived(const Packet& packet, std::size_t from, std::size_t to, Picos now) = 0;

    [[nodiscard]] uint64_t finished() const { return finished_; }
    [[nodiscard]] Picos sum() const { return sum_; }
    [[nodiscard]] Picos longest() const { return longest_; }

  protected:
    void finish(Picos took) {
        ++finished_;
        sum_ += took;
        longest_ = std::max(longest_, took);
    }

  private:
    uint64_t finished_ = 0;
    Picos sum_;
    Picos longest_;
};

class Incast : public Rounds {
  public:
    // `message`: number of frames in a round for each pair of a sender and a receiver. Without a
    // period there is one round.
    Incast(Picos start, Picos period, uint64_t message, uint64_t pairs)
        : start_(start), period_(period), message_(message), pairs_(pairs) {}

    static constexpr std::size_t open = 65536;

    void arrived(const Packet& packet, std::size_t from, std::size_t to, Picos now) override;

  private:
    Picos start_;
    Picos period_;
    uint64_t message_;
    uint64_t pairs_;
    std::map<uint64_t, uint64_t> arrived_;  // frames of each unfinished round
    uint64_t given_up_ = 0;                 // rounds before this number are given up
};

class AllReduce : public Rounds {
  public:
    struct Member {
        Host* host;
        std::size_t number;
        std::size_t source;  // source of the member's messages to the next member
    };
    // `frames`: number of frames of a chunk.
    AllReduce(std::vector<Member> ring, Bytes chunk, uint64_t frames, uint64_t rounds, Picos start);

    void arrived(const Packet& packet, std::size_t from, std::size_t to, Picos now) override;

  private:
    struct Progress {
        uint64_t chunks = 0;  // complete chunks
        uint64_t frames = 0;  // frames of the next chunk
    };

    [[nodiscard]] uint64_t steps() const { return 2 * (ring_.size() - 1); }
    void begin_round(Picos now);

    std::vector<Member> ring_;
    std::vector<Progress> progress_;
    Bytes chunk_;
    uint64_t frames_;
    uint64_t rounds_left_;
    Picos begun_;
    std::size_t done_ = 0;  // members that have all chunks of the round
};

}  // namespace sluice::sim
