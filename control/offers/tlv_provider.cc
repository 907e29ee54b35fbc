#include "control/offers/tlv_provider.h"

#include "dataplane/retry/retries.h"

namespace sluice::control {

std::unique_ptr<lldp::TlvProvider> with_offers(std::unique_ptr<lldp::TlvProvider> beside,
                                               const Publisher& publisher, Switch& dataplane,
                                               PortIndex port) {
    const auto offer_if = [&publisher, port](auto has) {
        return [&publisher, port, has]() -> std::optional<Offer> {
            const PortSettings& settings = publisher.running().settings.ports[port];
            if (!has(settings)) return {};
            return Offer{settings.pfc.lossless};
        };
    };
    auto with_credit = std::make_unique<OfferTlvProvider>(
        credit_offers, std::move(beside), offer_if([](const PortSettings& settings) {
            return settings.flow_control == FlowControl::credit;
        }),
        [&dataplane, port](LinkPeer peer, PrioritySet offered) {
            dataplane.set_credit_peer(port, peer, offered);
        });
    return std::make_unique<OfferTlvProvider>(
        retry_offers, std::move(with_credit),
        offer_if([](const PortSettings& settings) { return settings.retry.is_on; }),
        [&dataplane, port](LinkPeer peer, PrioritySet offered) {
            dataplane.retries().set_peer(port, peer, offered);
        });
}

}  // namespace sluice::control
