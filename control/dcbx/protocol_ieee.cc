#include "control/dcbx/protocol_ieee.h"

namespace sluice::dcbx {

void ProtocolIeee::set_local(const Local& local) {
    local_ = local;
    ets_.set_local(local.ets, local.willing.ets, local.recommend);
    pfc_.set_local(local.pfc.enabled, local.willing.pfc);
    pfc_.refuse(local.refuse_pfc);
    application_.set_local(local.application, local.willing.application, true);
}

void ProtocolIeee::receive(const std::optional<PeerSays>& peer) {
    received_ = peer ? peer->said : Advertisement{};
    const Advertisement& said = received_;
    const Peer other{.speaks = peer.has_value(),
                     .precedes_us = peer && takes_peers(local_.address, peer->address)};
    std::optional<bool> rv;
    if (said.recommendation) rv = true;
    ets_.receive(said.ets, rv, said.recommendation ? said.recommendation->ets : Ets{});
    pfc_.receive(enabled_of(said.pfc), other);
    rv = said.application ? std::optional(true) : std::nullopt;
    application_.receive(said.application, rv,
                         said.application ? said.application->parameter : ApplicationTable{});
    congestion_.receive(said.congestion ? std::optional(said.congestion->parameter.enabled)
                                        : std::nullopt);
}

Advertisement ProtocolIeee::advertise() const {
    Advertisement said;
    said.ets = {.parameter = ets_.oper_param(), .willing = local_.willing.ets};
    // The limits are the port's own, whatever values are in force.
    said.ets->parameter.max_classes = local_.ets.max_classes;
    said.ets->parameter.credit_based_shaper = local_.ets.credit_based_shaper;
    if (local_.recommend) said.recommendation = {.ets = local_.ets};
    said.pfc = {.parameter = local_.pfc, .willing = pfc_.local_willing()};
    said.pfc->parameter.enabled = pfc_.oper_param();
    if (!local_.application.empty() && !local_.willing.application) {
        said.application = {.parameter = local_.application};
    }
    if (local_.congestion) said.congestion = {.parameter = {.enabled = *local_.congestion}};
    return said;
}

Operational ProtocolIeee::operational() const {
    return {.ets = ets_.oper_param(),
            .pfc = pfc_.oper_param(),
            .application = application_.oper_param()};
}

std::vector<FeatureStatus> ProtocolIeee::status() const {
    FeatureStatus application = status_of(Feature::application, application_);
    application.peer_willing.reset();
    std::vector rows = {status_of(Feature::ets, ets_), status_of_pfc(pfc_, received_), application};
    rows[0].recommended = ets_.recommended();
    if (local_.congestion || congestion_.remote_param()) {
        FeatureStatus row{.feature = Feature::congestion,
                          .oper = local_.congestion.value_or(0),
                          .pending = congestion_.pending()};
        if (congestion_.remote_param()) row.peer = *congestion_.remote_param();
        if (received_.congestion) row.peer_ready = received_.congestion->parameter.ready;
        rows.push_back(row);
    }
    return rows;
}

}  // namespace sluice::dcbx
