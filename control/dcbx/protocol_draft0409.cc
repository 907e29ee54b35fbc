#include "control/dcbx/protocol_draft0409.h"

#include "control/dcbx/hold.h"
#include "control/dcbx/recommend.h"

namespace sluice::dcbx {
namespace {

std::optional<Offered<PrioritySet>> enabled_of(
    const std::optional<Offered<CongestionNotification>>& congestion) {
    if (!congestion) return std::nullopt;
    return Offered<PrioritySet>{.parameter = congestion->parameter.enabled,
                                .willing = congestion->willing};
}

}  // namespace

void ProtocolDraft0409::set_local(const Local& local) {
    local_ = local;
    ets_.set_local(local.ets, local.willing.ets, local.recommend);
    pfc_.set_local(local.pfc.enabled, local.willing.pfc);
    pfc_.refuse(local.refuse_pfc);
    application_.set_local(local.application, local.willing.application);
    congestion_.set_local(local.congestion.value_or(0), local.willing.congestion);
    pfc_defence_.set_local(local.defend);
    congestion_defence_.set_local(true);
    run();
}

void ProtocolDraft0409::receive(const std::optional<PeerSays>& peer) {
    received_ = peer ? peer->said : Advertisement{};
    run();
}

void ProtocolDraft0409::run() {
    std::optional<bool> rv;
    Ets recommended = local_.ets;
    if (received_.recommendation) {
        rv = received_.recommendation->valid;
        recommended.bandwidth = received_.recommendation->ets.bandwidth;
    }
    ets_.receive(received_.ets, rv, recommended);
    classes_.receive(received_.classes_supported);
    pfc_.receive(dcbx::enabled_of(received_.pfc), {});
    application_.receive(received_.application, {});
    congestion_.receive(enabled_of(received_.congestion), {});
    pfc_defence_.receive(pfc_.oper_param(), pfc_.remote_param());
    congestion_defence_.receive(congestion_.oper_param(), congestion_.remote_param());
}

Advertisement ProtocolDraft0409::advertise() const {
    Advertisement said;
    said.classes_supported = local_.ets.max_classes;
    said.ets = {.parameter = ets_.oper_param(), .willing = local_.willing.ets};
    if (local_.recommend) {
        Recommendation recommendation{.valid = false, .bandwidth_only = true};
        if (received_.ets) {
            const auto bandwidth = recommended_bandwidth(local_.ets, received_.ets->parameter);
            recommendation.valid = bandwidth.has_value();
            recommendation.ets.bandwidth = bandwidth.value_or(PerClass{});
        }
        said.recommendation = recommendation;
    }
    said.pfc = {.parameter = local_.pfc, .willing = pfc_.local_willing()};
    said.pfc->parameter.enabled = pfc_.oper_param();
    if (pfc_defence_.defense_enabled()) said.pfc->defences_on = pfc_defence_.on();
    said.application = {.parameter = application_.oper_param(),
                        .willing = local_.willing.application};
    if (local_.congestion) {
        said.congestion = {.parameter = {.enabled = congestion_.oper_param()},
                           .willing = local_.willing.congestion,
                           .defences_on = congestion_defence_.on()};
    }
    return said;
}

Operational ProtocolDraft0409::operational() const {
    return {.ets = ets_.oper_param(),
            .pfc = pfc_.oper_param(),
            .application = application_.oper_param(),
            .defence = pfc_defence_.on(),
            .held = local_.hold ? held_for_peer(pfc_.oper_param(), received_.pfc) : PrioritySet{0}};
}

std::vector<FeatureStatus> ProtocolDraft0409::status() const {
    FeatureStatus classes{.feature = Feature::classes,
                          .oper = Classes{local_.ets.max_classes},
                          .pending = classes_.pending()};
    if (classes_.remote_param()) classes.peer = Classes{*classes_.remote_param()};
    std::vector rows = {status_of(Feature::ets, ets_), status_of_pfc(pfc_, received_),
                        status_of(Feature::application, application_), classes};
    rows[0].recommended = ets_.recommended();
    if (local_.congestion || received_.congestion) {
        FeatureStatus& row = rows.emplace_back(status_of(Feature::congestion, congestion_));
        row.peer_defences = defences_of(received_.congestion);
        // If this port does not send the feature, no agreement is needed.
        if (!local_.congestion) row.mismatch.reset(), row.pending = false;
    }
    return rows;
}

}  // namespace sluice::dcbx
