// Transfers: messages of random sizes to random receivers at independent times (Poisson), each a
// flow with its own rate control, as in papers on congestion control.
//
// Each transfer is a round (rounds.h): it is finished when its last frame arrives, and its time
// begins when it is due. The slowdown of a transfer (slowdown.h) is its time divided by its time in
// an idle network; it is computed for transfers that are due from the warm-up on. Without
// retransmission (transport `datagram`) a transfer that loses a frame never finishes. A sender's
// source ends when all frames have arrived, without waiting for the last acknowledgement. A
// sender's places for flows are reused, so that memory grows only with simultaneous flows. Each
// transfer has a UDP source port of its own, by which switches may choose its path.
// Bound: 1 Mi simultaneous flows at one sender.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "dataplane/types/random.h"
#include "tools/sim/network/host.h"
#include "tools/sim/network/network.h"
#include "tools/sim/scenario/empty_path.h"
#include "tools/sim/scenario/rounds.h"
#include "tools/sim/scenario/scenario.h"
#include "tools/sim/scenario/slowdown.h"

namespace sluice::sim {

class Transfers : public Rounds {
  public:
    struct Terms {
        const FlowSpec& spec;
        Picos measured_from;
        Picos until;
        // The flow with place p at host h has number (first_number + p) x hosts + h.
        uint32_t first_number;
        std::size_t hosts;
        uint64_t seed;
    };
    using Control = std::function<std::unique_ptr<RateControl>()>;

    Transfers(Network& network, const NetworkScenario& scenario, const Terms& terms);
    // Adds a sender. `flow`: must send messages; `receivers`: numbers of hosts.
    void add_sender(Host& host, std::size_t number, const Flow& flow,
                    std::vector<std::size_t> receivers, Control control);

    void arrived(const Packet& packet, std::size_t from, std::size_t to, Picos now) override;
    [[nodiscard]] Bytes backlog(Picos now) const;
    [[nodiscard]] SlowdownResult slowdowns() { return slowdowns_.result(); }
    [[nodiscard]] std::size_t memory() const;

  private:
    struct Open {
        Bytes size;
        Picos due;
        uint64_t frames_left = 0;  // 0 if the place is free
    };
    class Origin : public Actor {
      public:
        Origin(Transfers& all, Host& host, std::size_t number, Flow flow,
               std::vector<std::size_t> receivers, Control control);
        void look() override;
        void arrived(std::size_t place, std::size_t to, Picos now);
        [[nodiscard]] Bytes backlog(Picos now) const;
        [[nodiscard]] std::size_t places() const { return open_.size(); }

      private:
        void begin(Picos due);
        void wait();

        Transfers& all_;
        Host& host_;
        std::size_t number_;
        Flow flow_;
        std::vector<std::size_t> receivers_;
        Control control_;
        Random draws_;
        Picos mean_;  // mean time between two transfers
        Picos next_;
        std::vector<Open> open_;  // by place
    };

    Network& network_;
    const FlowSpec& spec_;
    Terms terms_;
    EmptyPath empty_;
    Slowdowns slowdowns_;
    std::vector<std::unique_ptr<Origin>> origins_;
    std::vector<Origin*> by_host_;
};

}  // namespace sluice::sim
