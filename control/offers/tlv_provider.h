// OfferTlvProvider: adds the TLV of an offer to a port's LLDP, in addition to the TLVs of another
// provider, and publishes whether the peer offers the same, by the TLVs of the neighbours.
// Bound: the neighbours of a port, once for each change of them. Not done here: reading and writing
// octets (offer_tlv.h), and the features (dataplane/credits, dataplane/retry).
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "control/lldp/organisational.h"
#include "control/offers/offer_tlv.h"
#include "control/publish.h"
#include "dataplane/switch.h"
#include "dataplane/types/limits.h"
#include "dataplane/types/link_peer.h"
#include "dataplane/types/units.h"

namespace sluice::control {

class OfferTlvProvider final : public lldp::TlvProvider {
  public:
    // Returns the current offer of the port; empty: it has none.
    using Offers = std::function<std::optional<Offer>()>;
    using Publish = std::function<void(LinkPeer, PrioritySet offered)>;

    OfferTlvProvider(const OfferKind& kind, std::unique_ptr<lldp::TlvProvider> beside,
                     Offers offers, Publish publish)
        : kind_(kind),
          beside_(std::move(beside)),
          offers_(std::move(offers)),
          publish_(std::move(publish)) {}

    std::vector<lldp::OrganisationalTlv> neighbours(
        std::span<const lldp::OrganisationalNeighbour> neighbours, Nanos now) override {
        publish_(peer_of(kind_, neighbours), offered_by(kind_, neighbours));
        return with_offer(beside_->neighbours(neighbours, now));
    }
    [[nodiscard]] std::vector<lldp::OrganisationalTlv> to_send() const override {
        return with_offer(beside_->to_send());
    }

  private:
    [[nodiscard]] std::vector<lldp::OrganisationalTlv> with_offer(
        std::vector<lldp::OrganisationalTlv> tlvs) const {
        if (const auto offer = offers_()) tlvs.push_back(write_offer(kind_, *offer));
        return tlvs;
    }

    const OfferKind kind_;
    std::unique_ptr<lldp::TlvProvider> beside_;
    Offers offers_;
    Publish publish_;
};

// Adds the TLVs of all offers that the running settings of a port need. `publisher` and `dataplane`
// outlive the result.
std::unique_ptr<lldp::TlvProvider> with_offers(std::unique_ptr<lldp::TlvProvider> beside,
                                               const Publisher& publisher, Switch& dataplane,
                                               PortIndex port);

}  // namespace sluice::control
