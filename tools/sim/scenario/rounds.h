// Rounds: flows whose messages belong together, from when they begin until the last octet is here.
//
//   Incast     every sender answers each receiver, all at one moment, again every period
//   AllReduce  a ring (Patarasuk and Yuan, 2009): in each of 2 (N - 1) steps every host sends a
//              chunk to its successor, and begins the next step when its predecessor's has come
//              whole; the next round begins when all have done all steps
//   Transfers  each message by itself (transfers.h)
// A message that loses a frame is never whole: its round does not finish, and in a ring nothing
// moves any more.
// Bound: an incast waits for `Incast::open` rounds at once; one more, and the oldest counts as not
// finished, whatever comes of it.
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

    // A frame of the flow, from one host to another, by number.
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
    // In frames, of each pair of a sender and a receiver; without a period there is one round.
    Incast(Picos start, Picos period, uint64_t message, uint64_t pairs)
        : start_(start), period_(period), message_(message), pairs_(pairs) {}

    static constexpr std::size_t open = 65536;

    void arrived(const Packet& packet, std::size_t from, std::size_t to, Picos now) override;

  private:
    Picos start_;
    Picos period_;
    uint64_t message_;
    uint64_t pairs_;
    std::map<uint64_t, uint64_t> arrived_;  // frames of each round that is waited for
    uint64_t given_up_ = 0;                 // rounds before this one
};

class AllReduce : public Rounds {
  public:
    struct Member {
        Host* host;
        std::size_t number;
        std::size_t source;  // its messages to the next of them
    };
    // `frames` is how many a chunk is cut into.
    AllReduce(std::vector<Member> ring, Bytes chunk, uint64_t frames, uint64_t rounds, Picos start);

    void arrived(const Packet& packet, std::size_t from, std::size_t to, Picos now) override;

  private:
    struct Progress {
        uint64_t chunks = 0;  // whole
        uint64_t frames = 0;  // of the next
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
