// ProtocolDraft0409: a port that speaks 0409v3. ETS is asymmetric, and only its percentages are
// recommended; PFC, applications and congestion notification are symmetric. If both ports are
// willing, each keeps its configured value. PFC may have defences; congestion notification always
// has.
//
// A recommendation is valid (RV) once the peer's groups are known, so it takes two transfers in one
// direction and one in the other.
#pragma once

#include "control/dcbx/asymmetric.h"
#include "control/dcbx/compatible.h"
#include "control/dcbx/defence.h"
#include "control/dcbx/informational.h"
#include "control/dcbx/protocol.h"
#include "control/dcbx/symmetric.h"

namespace sluice::dcbx {

class ProtocolDraft0409 final : public Protocol {
  public:
    void set_local(const Local& local) override;
    void receive(const std::optional<PeerSays>& peer) override;
    [[nodiscard]] Advertisement advertise() const override;
    [[nodiscard]] Operational operational() const override;
    [[nodiscard]] std::vector<FeatureStatus> status() const override;

  private:
    void run();

    Local local_;
    Advertisement received_;
    Informational<uint8_t> classes_;
    Asymmetric<Ets> ets_{compatible_ets};
    Symmetric<PrioritySet> pfc_{EqualWilling::keep_local, compatible_pfc};
    Symmetric<ApplicationTable> application_{EqualWilling::keep_local, compatible_applications};
    Symmetric<PrioritySet> congestion_{EqualWilling::keep_local, compatible_pfc};
    Defence pfc_defence_;
    Defence congestion_defence_;
};

}  // namespace sluice::dcbx
