// Agent: DCBX of one port. Input: the port's settings and the TLVs of its LLDP neighbours. Output:
// the TLVs to send, the parameters in force, and the reasons.
//
// By default a port is not willing: it sends its settings, compares them with the peer's, and
// counts mismatches. The peer is the only neighbour that speaks DCBX, in any dialect; LLDP
// neighbours without DCBX do not count. With no peer, or several, the port's own settings are in
// force. So a neighbour that ages out, leaves or is unplugged is no special case: it is just
// missing in the list.
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

    // Whether the PFC that the peer asks for (`asked_pfc`) is refused here, so that the port
    // advertises and uses its own (symmetric.h).
    void refuse_pfc(bool refused, Nanos now);
    [[nodiscard]] bool refuses_pfc() const { return local_.refuse_pfc; }
    // The priorities that are to have PFC by the peer's word, also while that is refused.
    [[nodiscard]] std::optional<PrioritySet> asked_pfc() const;

    [[nodiscard]] Mode mode() const { return mode_; }
    // The dialect that the port speaks now; differs from the mode only if that is automatic.
    [[nodiscard]] Dialect dialect() const { return dialect_; }
    [[nodiscard]] const Operational& operational() const { return operational_; }
    // Neighbours that speak DCBX; none if disabled. Of more than one none is listened to.
    [[nodiscard]] std::size_t peers() const { return mode_ == Mode::disabled ? 0 : peers_; }
    // A row a feature; none if disabled.
    [[nodiscard]] const std::vector<FeatureStatus>& status() const { return status_; }
    // When a feature's mismatch began; nothing if it fits.
    [[nodiscard]] std::optional<Nanos> mismatch_since(Feature feature) const {
        return mismatch_since_[static_cast<std::size_t>(feature)];
    }

    // How many mismatches of the feature have begun.
    [[nodiscard]] uint64_t mismatches(Feature feature) const {
        return mismatches_[static_cast<std::size_t>(feature)];
    }
    [[nodiscard]] uint64_t changes() const { return changes_; }  // of what holds
    [[nodiscard]] const FaultCounters& faults() const { return faults_; }
    // The faults in the last frame of the peer; none if there was no frame.
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
    std::optional<ReceivedTlvs> received_;  // while there is just one
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
