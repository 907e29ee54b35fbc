// ProtocolIeee: a port that speaks the final standard. ETS is asymmetric, PFC symmetric with ties
// broken by address, congestion notification informational.
//
// Applications have no Willing bit, so it is unknown whether a peer that sends a table would follow
// one. A willing port therefore sends no table and follows its peer's. So two willing ports do not
// swap tables; each keeps its own.
// Follows 802.1Q-2014 clause 38.
#pragma once

#include "control/dcbx/asymmetric.h"
#include "control/dcbx/compatible.h"
#include "control/dcbx/informational.h"
#include "control/dcbx/protocol.h"
#include "control/dcbx/symmetric.h"

namespace sluice::dcbx {

class ProtocolIeee final : public Protocol {
  public:
    void set_local(const Local& local) override;
    void receive(const std::optional<PeerSays>& peer) override;
    [[nodiscard]] Advertisement advertise() const override;
    [[nodiscard]] Operational operational() const override;
    [[nodiscard]] std::vector<FeatureStatus> status() const override;

  private:
    Local local_;
    Advertisement received_;
    Asymmetric<Ets> ets_{compatible_ets};
    Symmetric<PrioritySet> pfc_{EqualWilling::lower_address_takes_peers, compatible_pfc};
    Asymmetric<ApplicationTable> application_{compatible_applications};
    Informational<PrioritySet> congestion_;
};

}  // namespace sluice::dcbx
