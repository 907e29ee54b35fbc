// Agent: DCBX of one port. Input: the port's settings and the TLVs of its LLDP neighbours. Output:
// the TLVs to send, the parameters in force, and the reasons.
//
// By default a port is not willing: it sends its settings, compares them with the peer's, and
// counts mismatches. The peer is the only neighbour that sends DCBX, in any dialect; LLDP
// neighbours without DCBX do not count. With no peer, or several, the port's own settings are in
// force. A neighbour that ages out, leaves or is unplugged is no special case: the list of
// neighbours lacks it.
// Bound: the contents of one neighbour's frame. A repeated frame costs a comparison and changes
// nothing. Not done here: LLDP (lldp/), and applying the result: the caller compares `operational`
// with what it applied last, and reports a PFC setting that it could not apply (`refuse_pfc`).
// Follows 802.1Q-2014 clause 38.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "control/dcbx/protocol.h"
#include "control/lldp/organisational.h"
#include "dataplane/types/units.h"

namespace sluice::dcbx {

class Agent final : public lldp::TlvProvider {
  public:
    void configure(Mode mode, const Local& local, Nanos now);

    std::vector<lldp::OrganisationalTlv> neighbours(
        std::span<const lldp::OrganisationalNeighbour> neighbours, Nanos now) override;
    [[nodiscard]] std::vector<lldp::OrganisationalTlv> to_send() const override;

    // Sets whether the caller refuses the PFC that the peer requests (`asked_pfc`). While the
    // caller refuses it, the port advertises and uses its own PFC (symmetric.h).
    void refuse_pfc(bool refused, Nanos now);
    [[nodiscard]] bool refuses_pfc() const { return local_.refuse_pfc; }
    // Returns the priorities for which the peer requests PFC, also while the caller refuses the
    // request; empty: the port does not follow the peer in PFC.
    [[nodiscard]] std::optional<PrioritySet> asked_pfc() const;

    [[nodiscard]] Mode mode() const { return mode_; }
    // Returns the dialect of the port; it differs from the mode only if the mode is automatic.
    [[nodiscard]] Dialect dialect() const { return dialect_; }
    [[nodiscard]] const Operational& operational() const { return operational_; }
    // Returns how many neighbours send DCBX; 0 if the mode is disabled. With more than one, all are
    // ignored.
    [[nodiscard]] std::size_t peers() const { return mode_ == Mode::disabled ? 0 : peers_; }
    // Returns a row for each feature; empty if the mode is disabled.
    [[nodiscard]] const std::vector<FeatureStatus>& status() const { return status_; }
    // Returns when the feature's mismatch began; empty if there is none.
    [[nodiscard]] std::optional<Nanos> mismatch_since(Feature feature) const {
        return mismatch_since_[static_cast<std::size_t>(feature)];
    }

    // Returns how many mismatches of the feature have begun.
    [[nodiscard]] uint64_t mismatches(Feature feature) const {
        return mismatches_[static_cast<std::size_t>(feature)];
    }
    // Returns how often `operational` has changed.
    [[nodiscard]] uint64_t changes() const { return changes_; }
    [[nodiscard]] const FaultCounters& faults() const { return faults_; }
    // Returns the faults in the last frame of the peer; none if there was no frame.
    [[nodiscard]] const FaultCounters& present_faults() const { return present_faults_; }

  private:
    struct ReceivedTlvs {
        MacAddress source;
        std::vector<lldp::OrganisationalTlv> tlvs;
        friend bool operator==(const ReceivedTlvs&, const ReceivedTlvs&) = default;
    };

    void listen(bool again);
    void update(Nanos now);

    Mode mode_ = Mode::disabled;
    Dialect dialect_ = Dialect::ieee;
    Local local_;
    std::unique_ptr<Protocol> protocol_;
    std::optional<ReceivedTlvs> received_;  // TLVs of the peer; empty: there is no single peer
    std::size_t peers_ = 0;
    Operational operational_;
    std::vector<FeatureStatus> status_;
    std::array<std::optional<Nanos>, feature_names.size()> mismatch_since_;
    std::array<uint64_t, feature_names.size()> mismatches_{};
    uint64_t changes_ = 0;
    FaultCounters faults_;
    FaultCounters present_faults_;
};

}  // namespace sluice::dcbx
