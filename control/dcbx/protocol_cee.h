// ProtocolCee: a port that speaks CEE. Priority groups, PFC and applications are symmetric; if both
// ends or neither are willing, their values must fit, or the feature is in error at both. A feature
// is also in error at a port whose peer lacks it. Priority groups always fit. A feature that is off
// at either end is not in error; PFC is off at a port that cannot pause by priority.
//
// The port advertises its configured values, not the values in force. A change of the configured
// values or of an Error bit gets a new sequence number. Applications are advertised if there are
// any, or if the port is willing. Follows CEE 1.01, with the deviations in symmetric.h.
#pragma once

#include "control/dcbx/cee_control.h"
#include "control/dcbx/compatible.h"
#include "control/dcbx/protocol.h"
#include "control/dcbx/symmetric.h"

namespace sluice::dcbx {

class ProtocolCee final : public Protocol {
  public:
    void set_local(const Local& local) override;
    void receive(const std::optional<PeerSays>& peer) override;
    [[nodiscard]] Advertisement advertise() const override;
    [[nodiscard]] Operational operational() const override;
    [[nodiscard]] std::vector<FeatureStatus> status() const override;

  private:
    [[nodiscard]] bool has_applications() const {
        return !local_.application.empty() || local_.willing.application;
    }
    [[nodiscard]] bool has_pfc() const { return local_.pfc.capability > 0; }
    [[nodiscard]] Advertisement features() const;
    void run();
    void note_changes();

    Local local_;
    Advertisement received_;
    CeeControl control_;
    Symmetric<Ets> ets_{EqualWilling::error_unless_compatible, compatible_groups};
    Symmetric<PrioritySet> pfc_{EqualWilling::error_unless_compatible, compatible_pfc};
    Symmetric<ApplicationTable> application_{EqualWilling::error_unless_compatible,
                                             compatible_applications};
    std::optional<Advertisement> advertised_;
};

}  // namespace sluice::dcbx
