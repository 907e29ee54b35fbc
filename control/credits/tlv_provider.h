// CreditTlvProvider: adds the credit TLV to a port's LLDP, beside the TLVs of another provider, and
// publishes whether the peer can do credit, by the TLVs of the neighbours.
// Bound: the neighbours of a port, once for each change of them. Not done here: octets
// (credit_tlv.h), and flow control itself (dataplane/credits/credit_end.h).
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "control/credits/credit_tlv.h"
#include "control/lldp/organisational.h"
#include "control/publish.h"
#include "dataplane/credits/credit_end.h"
#include "dataplane/limits.h"
#include "dataplane/switch.h"
#include "dataplane/units.h"

namespace sluice::control {

class CreditTlvProvider final : public lldp::TlvProvider {
  public:
    // What the port offers now; nothing: it does not go by credit.
    using Offer = std::function<std::optional<CreditOffer>()>;
    using Publish = std::function<void(CreditPeer, PrioritySet offered)>;

    CreditTlvProvider(std::unique_ptr<lldp::TlvProvider> beside, Offer offer, Publish publish)
        : beside_(std::move(beside)), offer_(std::move(offer)), publish_(std::move(publish)) {}

    std::vector<lldp::OrganisationalTlv> neighbours(
        std::span<const lldp::OrganisationalNeighbour> neighbours, Nanos now) override {
        publish_(credit_peer_of(neighbours), offered_by(neighbours));
        return with_offer(beside_->neighbours(neighbours, now));
    }
    [[nodiscard]] std::vector<lldp::OrganisationalTlv> to_send() const override {
        return with_offer(beside_->to_send());
    }

  private:
    [[nodiscard]] std::vector<lldp::OrganisationalTlv> with_offer(
        std::vector<lldp::OrganisationalTlv> tlvs) const {
        if (const auto offer = offer_()) tlvs.push_back(write_credit_offer(*offer));
        return tlvs;
    }

    std::unique_ptr<lldp::TlvProvider> beside_;
    Offer offer_;
    Publish publish_;
};

// Of a port, by its running settings, for the dataplane; these outlive it.
std::unique_ptr<lldp::TlvProvider> make_credit_tlv_provider(
    std::unique_ptr<lldp::TlvProvider> beside, const Publisher& publisher, Switch& dataplane,
    PortIndex port);

}  // namespace sluice::control
