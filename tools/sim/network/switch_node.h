// SwitchNode: a Switch among cables, which is polled (dataplane/poll.h) whenever an event
// concerns it.
//
// A switch receives a frame when its last bit has arrived and the fixed latency of the pipeline has
// passed. Under cut-through it does so when the header has arrived and that latency has passed,
// unless a port is faster than the frame's input and would run out of octets. From then on both
// modes are the same: an idle output sends the frame at once; at a busy output the frame waits in
// the buffer, with all its octets counted. A sent frame leaves the buffer and crosses the crossbar,
// which adds a delay but does not block other frames. Pause frames take effect with their last bit,
// since a MAC handles them.
// After all events of a moment, a poll receives the arrivals, moves frames, and each port whose
// wire is idle begins one frame: the pause frame that is due, else the choice of `transmit`. So a
// pause frame waits only for the frame on the wire, as in hardware; the delay of a real poll loop
// is part of a configured response. There is a poll at least every `housekeeping`, for watchdogs
// and ageing. A shaped port is polled every `shaping`, so its frames are up to that late.
// A switch may be built when its first frame arrives, and until then takes memory only for its
// settings and the ends of its cables; then it behaves as if it had existed from the start.
// Bound: an event checks only ports with received frames, or with frames to send and an idle wire;
// if outputs decide which inputs to pause, all ports with an idle wire.
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "dataplane/poll.h"
#include "dataplane/switch.h"
#include "tools/sim/network/credit_line.h"
#include "tools/sim/network/network.h"

namespace sluice::sim {

enum class Forwarding : uint8_t { store_and_forward, cut_through };

struct SwitchTiming {
    Forwarding forwarding = Forwarding::store_and_forward;
    Nanos latency{0};   // delay before the buffer
    Nanos crossbar{0};  // delay after the buffer
};

// When a switch allocates its dataplane.
enum class Built : uint8_t { at_once, by_first_frame };

class SwitchNode : public Actor {
  public:
    static constexpr Nanos housekeeping{100'000};
    static constexpr Nanos shaping{100};

    // Octets that a switch needs before it forwards a frame: the preamble, addresses, a tag,
    // EtherType and IPv4. `header_to_ports` also has UDP's ports, for switches that trust RoCEv2.
    static constexpr Bytes header = preamble + Bytes(38);
    static constexpr Bytes header_to_ports = header + Bytes(4);
    // Returns the octets that a switch with these settings needs. In formats without IP these are
    // the format's own header, and a tag if the format has one. Otherwise they are `header` or
    // `header_to_ports`, and the longest CSIG tag that the switch knows.
    [[nodiscard]] static Bytes header_for(const PortSettings& port, const CsigSettings& csig = {});

    SwitchNode(Network& network, const Settings& settings, const SwitchTiming& timing = {},
               Built built = Built::at_once);
    [[nodiscard]] bool is_built() const { return inside_.has_value(); }
    // Calls `look` with the dataplane. If the node is not built, builds a dataplane for this call
    // only, without the polls of the past.
    template <class Look>
    void look_into(Look look) {
        const bool was_built = is_built();
        if (!was_built) make();
        look(dataplane());
        if (!was_built) inside_.reset();
    }

    [[nodiscard]] Port& port(PortIndex index) { return *ends_[index]; }
    // Returns the virtual time in the unit of the switch.
    [[nodiscard]] Nanos now() const { return since_ + nanos(network_.now()); }
    // Returns when `port` began to send its last XOFF or XON.
    [[nodiscard]] Picos pause_begun(PortIndex port) const { return ends_[port]->pause_begun; }
    [[nodiscard]] uint64_t drops(Drop reason) const;
    [[nodiscard]] uint64_t dropped_in_all() const;  // does not count received pause frames
    void adopt(const Settings& settings);
    // Sets the credit of a port whose cable has credit (credit_line.h) instead of PFC; the port
    // sends no pauses.
    void set_credit(PortIndex port, const CreditEnds& ends) { ends_[port]->credit = ends; }
    [[nodiscard]] const CreditEnds& credit(PortIndex port) const { return ends_[port]->credit; }

    void look() override;
    void end_of_moment() override;

    // Returns the dataplane of a node that is built.
    [[nodiscard]] const Switch& dataplane() const {
        assert(inside_);
        return inside_->dataplane;
    }
    [[nodiscard]] Switch& dataplane() {
        assert(inside_);
        return inside_->dataplane;
    }

    Settings settings;
    // Called with a frame that the switch freed without sending it, for the counters of flows.
    std::function<void(const Packet&)> on_drop;

  private:
    class End final : public Port {
      public:
        End(SwitchNode& node, PortIndex index) : Port(node.network_), node_(node), index_(index) {}

        void look() override {
            if (is_idle()) node_.awaited_ &= ~only(index_);
            node_.poll_soon();
        }
        void arrive(Packet& packet) override { node_.come_in(index_, packet); }
        [[nodiscard]] Picos takes_at(const Packet& packet, Picos first, Picos last) const override;
        void connected() override { node_.fastest_ = std::max(node_.fastest_, cable().speed); }
        void begin_pause(std::span<const uint8_t> octets);
        void begin_frame(const Frame& frame);
        void retag(Frame& frame, const std::array<uint8_t, max_priorities>& pcps);
        // Returns the credit of a frame that this end sends, to the end by which the frame
        // was received.
        void give_credit_back(const Frame& frame);
        [[nodiscard]] PrioritySet lacking_credit() const;
        // Schedules a look at the time when this end may have work again.
        void wait();

        Bytes decides_by = header;
        // Members that each frame needs are in one cache line.
        CreditEnds credit;
        // First frame that arrived in this moment; seldom followed by others.
        Packet* arrived = nullptr;

      private:
        SwitchNode& node_;
        PortIndex index_;

      public:
        std::vector<Packet*> arrived_since;  // frames that arrived after `arrived`
        Picos pause_begun;

      private:
        Picos asked_again_at_;  // next look at a shaped port
    };

    // The ports of the poll: the ends of cables.
    class Ends {
      public:
        explicit Ends(SwitchNode& node) : node_(node) {}

        [[nodiscard]] InputSet ready() const { return node_.arrived_; }
        // Returns the ports whose wire is idle, or no port until all arrivals of this moment are
        // received. May leave out ports that have no frame to send.
        [[nodiscard]] PortSet writable() const {
            if (node_.takes_in_) return 0;
            node_.note_idle(node_.inside_->shard.active());
            return ~node_.busy_;
        }
        [[nodiscard]] bool is_writable(PortIndex port) const {
            if (node_.takes_in_) return false;
            node_.note_idle(only(port));
            return (node_.busy_ & only(port)) == 0;
        }
        std::size_t receive(const ReceiveQueue& from, std::span<Frame> burst);
        std::size_t transmit(PortIndex port, std::span<const Frame> burst);
        std::size_t edit_tags(PortIndex port, std::span<Frame> frames,
                              const std::array<uint8_t, max_priorities>& pcps);
        bool send(PortIndex port, std::span<const uint8_t> octets);
        [[nodiscard]] PrioritySet blocked(PortIndex port) const;
        void release(Released& released);
        void free(const Frame& frame);

      private:
        SwitchNode& node_;
    };

    // Parts of a node that is built.
    struct Inside {
        explicit Inside(SwitchNode& node)
            : dataplane(node.settings),
              shard(dataplane.shard(0)),
              poll(dataplane, shard, node.wires_, 1) {}

        Switch dataplane;
        Shard& shard;  // the only shard
        Poll<Ends> poll;
    };

    void make();
    void build();
    void housekeep(Nanos then);
    void come_in(PortIndex port, Packet& packet);
    void take_behind_another(PortIndex port, Packet& packet);
    void come_up_next(PortIndex port);
    void look_when_pauses_end(PortIndex port, const Packet& packet);
    void poll_soon();
    void drop(Packet& packet);
    // Marks as idle those of `ports` whose wires were busy at the last check and are idle now.
    void note_idle(PortSet ports) {
        const Picos now = network_.now();
        for_each_port(ports & busy_ & ~awaited_, [&](PortIndex port) {
            if (free_at_[port] <= now) busy_ &= ~only(port);
        });
    }
    void occupy(PortIndex port, Picos until) {
        busy_ |= only(port);
        free_at_[port] = until;
    }

    static constexpr Nanos since_{1'000'000'000};
    Network& network_;
    SwitchTiming timing_;
    std::vector<std::unique_ptr<End>> ends_;
    Ends wires_;
    std::optional<Inside> inside_;
    BitsPerSecond fastest_{0};  // speed of the fastest cable
    bool will_poll_ = false;    // a poll will run at the end of this moment
    bool takes_in_ = false;     // some arrivals of this moment were not received by a poll yet
    const Picos made_at_;
    Picos looked_at_{-1};   // time of the last housekeeping
    bool is_due_ = false;   // housekeeping is due at the end of this moment
    InputSet arrived_ = 0;  // inputs with frames that the switch has not received yet
    InputSet several_ = 0;  // inputs of `arrived_` that have more than one frame
    PortSet busy_ = 0;      // ports whose wires carried a frame at the last check
    PortSet awaited_ = 0;   // busy ports that will be looked at when they are idle
    // When the wires of busy ports are idle; adjacent in memory, for a fast check.
    std::array<Picos, max_ports> free_at_{};
};

}  // namespace sluice::sim
