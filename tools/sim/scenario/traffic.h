// Traffic: turns the flows of a scenario into sources at its hosts, with their rate control, and
// the rounds of flows that have rounds.
//
// A host with rate control has a separate source for each receiver, at its share of the flow's
// rate, so that a slow receiver does not delay others.
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

    // Counts a frame that arrived at `host` and belongs to a flow.
    void arrived(const Packet& packet, std::size_t host, Picos now) {
        if (Rounds* rounds = rounds_[packet.row].get()) {
            rounds->arrived(packet, packet.flow % hosts_.size(), host, now);
        }
    }
    // Returns null if the flow has no rounds.
    [[nodiscard]] const Rounds* rounds(std::size_t flow) const { return rounds_[flow].get(); }
    // Returns the octets that are due by now and have not been sent.
    [[nodiscard]] Bytes backlog(std::size_t flow, Picos now) const;
    // Returns null if the flow has no transfers.
    [[nodiscard]] Transfers* transfers(std::size_t flow) { return transfers_[flow]; }
    // Returns the memory of transfers.
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
    // Returns the receivers of flow `n` without the sender `from`, by number, beginning after
    // `from`.
    [[nodiscard]] std::vector<std::size_t> receivers_of(std::size_t n, std::size_t from) const;
    // Returns the flow with the values that all its sources share, for any pattern.
    [[nodiscard]] Flow flow_of(std::size_t n, std::size_t from) const;
    [[nodiscard]] Flow messages_of(std::size_t n, std::size_t from) const;
    // Sets the PCP of the tag, if the flow has one, and the priority that the sender's switch
    // derives from the PCP or from other fields of the frame.
    void set_pcp(Flow& flow, std::size_t from, uint8_t pcp) const;
    [[nodiscard]] BitsPerSecond rate_of(const FlowSpec& spec, std::size_t from) const;
    [[nodiscard]] uint32_t number_of(std::size_t n, std::size_t from) const {
        return static_cast<uint32_t>(n * hosts_.size() + from);
    }
    // Returns the CSIG settings of the switch at the host.
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
    std::vector<Transfers*> transfers_;        // entries of `rounds_` that are transfers, by flow
    std::vector<std::vector<Place>> sources_;  // by flow
};

}  // namespace sluice::sim
