// Traffic: the flows of a scenario as sources at its hosts, with their rate control, and the rounds
// of flows that have rounds.
//
// A host under rate control sends to each receiver by a source of its own, at its share of the
// flow's rate, so that a slow receiver does not hold up others.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "tools/sim/network/host.h"
#include "tools/sim/scenario/rounds.h"
#include "tools/sim/scenario/scenario.h"
#include "tools/sim/scenario/transfers.h"

namespace sluice::sim {

class Traffic {
  public:
    Traffic(Network& network, const NetworkScenario& scenario,
            std::span<const std::unique_ptr<Host>> hosts);

    // A frame that counts for a flow, at the host.
    void arrived(const Packet& packet, std::size_t host, Picos now) {
        if (Rounds* rounds = rounds_[packet.row].get()) {
            rounds->arrived(packet, packet.flow % hosts_.size(), host, now);
        }
    }
    // Returns null if the flow has none.
    [[nodiscard]] const Rounds* rounds(std::size_t flow) const { return rounds_[flow].get(); }
    // Octets that are due by now and have not left their senders.
    [[nodiscard]] Bytes backlog(std::size_t flow, Picos now) const;
    // Returns null if the flow has none.
    [[nodiscard]] Transfers* transfers(std::size_t flow) { return transfers_[flow]; }
    // The memory of transfers.
    [[nodiscard]] Bytes memory() const;

  private:
    struct Place {
        std::size_t host;
        std::size_t source;
    };

    void add_paced(std::size_t n, std::size_t from);
    void add_incast(std::size_t n);
    void add_all_reduce(std::size_t n);
    void add_trace(std::size_t n);
    void add_transfers(std::size_t n);
    // Returns the receivers in `to` without the sender, from the one behind it on.
    [[nodiscard]] std::vector<std::size_t> receivers_of(std::size_t n, std::size_t from) const;
    // Returns the flow of any pattern: the values that all its sources share.
    [[nodiscard]] Flow flow_of(std::size_t n, std::size_t from) const;
    [[nodiscard]] Flow messages_of(std::size_t n, std::size_t from) const;
    // The PCP in its tag, if it has one; and the priority that the sender's switch derives from the
    // PCP or from the frame's other fields.
    void set_pcp(Flow& flow, std::size_t from, uint8_t pcp) const;
    [[nodiscard]] BitsPerSecond rate_of(const FlowSpec& spec, std::size_t from) const;
    [[nodiscard]] uint32_t number_of(std::size_t n, std::size_t from) const {
        return static_cast<uint32_t>(n * hosts_.size() + from);
    }
    // CSIG settings of the switch that the host is at.
    [[nodiscard]] const CsigSettings& csig_of(std::size_t host) const {
        return scenario_.switches[scenario_.hosts[host].at.node].settings.csig;
    }
    [[nodiscard]] std::unique_ptr<RateControl> control_of(std::size_t host) const;
    std::size_t add(std::size_t n, std::size_t from, const Flow& flow,
                    const std::vector<Target>& targets, uint64_t seed = 1);

    Network& network_;
    const NetworkScenario& scenario_;
    std::span<const std::unique_ptr<Host>> hosts_;
    Picos until_;
    std::vector<std::unique_ptr<Rounds>> rounds_;  // by flow
    std::vector<Transfers*> transfers_;            // of these, by flow
    std::vector<std::vector<Place>> sources_;      // by flow
};

}  // namespace sluice::sim
