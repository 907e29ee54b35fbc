// SwitchNode: a Switch among cables, polled whenever something happens to it and at once.
//
// A frame reaches the switch with its last bit. Then the crossbar moves what can move, and each
// port whose wire is idle begins one frame: the pause frame that it owes, else what `transmit`
// chooses.
// So a pause frame waits for the frame that is on the wire and for nothing else, as in hardware;
// what a poll loop takes longer is part of a configured response.
// Watchdogs and ageing are tended every `tending`.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "dataplane/switch.h"
#include "tests/lossless/network.h"

namespace sluice::test {

class SwitchNode : public Actor {
  public:
    static constexpr Nanos tending{100'000};

    SwitchNode(Network& network, const Settings& settings);

    [[nodiscard]] Port& port(PortIndex index) { return *ends_[index]; }
    // Virtual time as the switch is told.
    [[nodiscard]] Nanos now() const { return since_ + nanos(network_.now()); }
    // Of the last XOFF or XON that `port` began to send.
    [[nodiscard]] Picos pause_begun(PortIndex port) const { return ends_[port]->pause_begun; }
    [[nodiscard]] uint64_t drops(Drop reason) const;
    [[nodiscard]] uint64_t dropped_in_all() const;  // but for the pause frames it heard
    void adopt(const Settings& settings);

    void look() override;  // tends

    Settings settings;
    Switch dataplane;

  private:
    class End : public Port {
      public:
        End(SwitchNode& node, PortIndex index) : Port(node.network_), node_(node), index_(index) {}

        void look() override { node_.work(); }
        void arrive(Packet& packet) override { node_.receive(index_, packet); }
        bool send_what_is_due();

        Picos pause_begun;

      private:
        SwitchNode& node_;
        PortIndex index_;
    };

    void receive(PortIndex input, Packet& packet);
    void look_when_pauses_end(PortIndex input, const Packet& packet);
    void work();
    std::size_t give_back(const Released& released);

    static constexpr Nanos since_{1'000'000'000};
    Network& network_;
    Nanos refresh_;
    std::vector<std::unique_ptr<End>> ends_;
};

}  // namespace sluice::test
