#include "control/credits/tlv_provider.h"

namespace sluice::control {

std::unique_ptr<lldp::TlvProvider> make_credit_tlv_provider(
    std::unique_ptr<lldp::TlvProvider> beside, const Publisher& publisher, Switch& dataplane,
    PortIndex port) {
    auto offer = [&publisher, port]() -> std::optional<CreditOffer> {
        const PortSettings& settings = publisher.running().settings.ports[port];
        if (settings.flow_control != FlowControl::credit) return {};
        return CreditOffer{settings.pfc.lossless};
    };
    auto publish = [&dataplane, port](CreditPeer peer, PrioritySet offered) {
        dataplane.set_credit_peer(port, peer, offered);
    };
    return std::make_unique<CreditTlvProvider>(std::move(beside), std::move(offer),
                                               std::move(publish));
}

}  // namespace sluice::control
