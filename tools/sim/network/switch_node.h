// SwitchNode: a Switch among cables, polled whenever something happens to it and at once.
//
// A frame reaches the switch with its last bit and a fixed latency, that of the pipeline; under
// cut-through with its header and that latency, as far as no port is faster than the one it came
// by, which would run out of it. From then on both are the same: an idle output sends it at once,
// and one that is busy lets it wait in the same buffer, all of it counted. Pause frames take
// effect with their last bit, as a MAC sees to them. Once all that happens at a moment has
// happened, the crossbar moves what can move, and each port whose wire is idle begins one frame:
// the pause frame that it owes, else what `transmit` chooses.
// So a pause frame waits for the frame that is on the wire and for nothing else, as in hardware;
// what a poll loop takes longer is part of a configured response.
// Watchdogs and ageing are tended every `tending`. A port that is shaped is asked again every
// `shaping`, so its frames are up to that late.
// Bound: an event looks only at ports that have something to send and a wire that is idle; at all
// whose wire is idle where outputs decide whom to pause.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "dataplane/switch.h"
#include "tools/sim/network/credit_line.h"
#include "tools/sim/network/network.h"

namespace sluice::sim {

enum class Forwarding : uint8_t { store_and_forward, cut_through };

struct SwitchTiming {
    Forwarding forwarding = Forwarding::store_and_forward;
    Nanos latency{0};
};

class SwitchNode : public Actor {
  public:
    static constexpr Nanos tending{100'000};
    static constexpr Nanos shaping{100};

    // What it decides by: addresses, a tag, EtherType and IPv4, behind the preamble; and UDP's
    // ports where it trusts RoCEv2.
    static constexpr Bytes header = preamble + Bytes(38);
    static constexpr Bytes header_to_ports = header + Bytes(4);

    SwitchNode(Network& network, const Settings& settings, const SwitchTiming& timing = {});

    [[nodiscard]] Port& port(PortIndex index) { return *ends_[index]; }
    // Virtual time as the switch is told.
    [[nodiscard]] Nanos now() const { return since_ + nanos(network_.now()); }
    // Of the last XOFF or XON that `port` began to send.
    [[nodiscard]] Picos pause_begun(PortIndex port) const { return ends_[port]->pause_begun; }
    [[nodiscard]] uint64_t drops(Drop reason) const;
    [[nodiscard]] uint64_t dropped_in_all() const;  // but for the pause frames it heard
    void adopt(const Settings& settings);
    // A port whose cable has credit (credit_line.h) instead of PFC; it sends no pause.
    void set_credit(PortIndex port, const CreditEnds& ends) { ends_[port]->credit = ends; }
    [[nodiscard]] const CreditEnds& credit(PortIndex port) const { return ends_[port]->credit; }

    void look() override;  // tends
    void settle() override;

    Settings settings;
    Switch dataplane;
    // For whoever counts: a frame that it let go of without having sent it.
    std::function<void(const Packet&)> on_drop;

  private:
    class End : public Port {
      public:
        End(SwitchNode& node, PortIndex index) : Port(node.network_), node_(node), index_(index) {}

        void look() override {
            node_.may_owe_ |= only(index_);
            if (is_idle()) node_.awaited_ &= ~only(index_);
            node_.work_soon();
        }
        void arrive(Packet& packet) override { node_.receive(index_, packet); }
        [[nodiscard]] Picos takes_at(const Packet& packet, Picos first, Picos last) const override;
        void connected() override { node_.fastest_ = std::max(node_.fastest_, cable().speed); }
        bool send_what_is_due();
        void wait_until_idle();

        Picos pause_begun;
        CreditEnds credit;
        Bytes decides_by = header;

      private:
        Packet* pause_due();
        Packet* frame_due();
        void hold_what_lacks_credit();
        Packet* paid(Frame& frame);
        Packet* retagged(Frame& frame);

        SwitchNode& node_;
        PortIndex index_;
        Picos asked_again_at_;  // under a shaper
    };

    void receive(PortIndex input, Packet& packet);
    void note_bypassed();
    void look_when_pauses_end(PortIndex input, const Packet& packet);
    void work_soon();
    void cross();
    // Ports that may have something to send.
    [[nodiscard]] PortSet candidates() const;
    std::size_t give_back(const Released& released);

    static constexpr Nanos since_{1'000'000'000};
    Network& network_;
    SwitchTiming timing_;
    std::vector<std::unique_ptr<End>> ends_;
    BitsPerSecond fastest_{0};     // of all ports that have a cable
    bool outputs_decide_ = false;  // PauseTrigger::egress, so any input may come to owe a pause
    bool will_work_ = false;       // at the end of this moment
    // What has changed since no more could cross.
    bool has_room_ = true;
    std::size_t arrivals_ = 0;  // copies of flooded frames counted
    PortSet awaited_ = 0;       // whose wire will be looked at when it is idle
    PortSet loaded_ = 0;        // whose egress may hold frames
    PortSet may_owe_ = 0;       // a pause frame
};

}  // namespace sluice::sim
