// ProtocolCee: a port that speaks CEE. Priority groups, PFC and applications are symmetric; two
// ends that are equally willing must fit, or the feature is in error at both, as it is at a port
// whose peer lacks it. Priority groups always fit. Off, at either end, is no error; PFC is off at a
// port that cannot pause by priority.
//
// What is said is what the port is set to, not what holds. A change of it, or of an Error bit, is a
// new sequence number. Applications are spoken of where there are any, or the port is willing.
// Follows CEE 1.01; symmetric.h says where not.
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
