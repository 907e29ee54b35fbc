#include "control/dcbx/protocol_cee.h"

namespace sluice::dcbx {
namespace {

template <class Parameter>
void copy_bits(FeatureStatus& row, const std::optional<Offered<Parameter>>& received) {
    if (!received) return;
    row.peer_enabled = received->enabled;
    row.peer_error = received->error;
}

}  // namespace

void ProtocolCee::set_local(const Local& local) {
    local_ = local;
    ets_.set_local(local.ets, local.willing.ets);
    pfc_.set_local(local.pfc.enabled, local.willing.pfc, has_pfc());
    pfc_.refuse(local.refuse_pfc);
    application_.set_local(local.application, local.willing.application);
    run();
}

void ProtocolCee::receive(const std::optional<PeerSays>& peer) {
    received_ = peer ? peer->said : Advertisement{};
    control_.receive(received_.control);
    run();
}

// Called for a new frame of the peer, and for new settings, because these decide whether
// applications are negotiated.
void ProtocolCee::run() {
    const Peer other{.speaks = received_.control.has_value()};
    ets_.receive(received_.ets, other);
    pfc_.receive(enabled_of(received_.pfc), other);
    application_.receive(received_.application, {.speaks = other.speaks && has_applications()});
    note_changes();
}

void ProtocolCee::note_changes() {
    Advertisement now = features();
    if (advertised_ && *advertised_ != now) control_.changed();
    advertised_ = std::move(now);
}

Advertisement ProtocolCee::features() const {
    Advertisement said;
    said.ets = {.parameter = local_.ets, .willing = local_.willing.ets, .error = ets_.error()};
    said.pfc = {.parameter = local_.pfc,
                .willing = pfc_.local_willing(),
                .enabled = has_pfc(),
                .error = pfc_.error()};
    if (has_applications()) {
        said.application = {.parameter = local_.application,
                            .willing = local_.willing.application,
                            .error = application_.error()};
    }
    return said;
}

Advertisement ProtocolCee::advertise() const {
    Advertisement said = features();
    said.control = control_.to_send();
    return said;
}

Operational ProtocolCee::operational() const {
    return {.ets = ets_.oper_param(),
            .pfc = pfc_.oper_param(),
            .application = application_.oper_param()};
}

std::vector<FeatureStatus> ProtocolCee::status() const {
    std::vector rows = {status_of(Feature::ets, ets_), status_of_pfc(pfc_, received_),
                        status_of(Feature::application, application_)};
    copy_bits(rows[0], received_.ets);
    copy_bits(rows[1], received_.pfc);
    copy_bits(rows[2], received_.application);
    // A CEE peer sends its configured values and never reports that it adopted ours. It
    // acknowledges them instead.
    for (FeatureStatus& row : rows) row.pending = !row.peer || !control_.syncd();
    return rows;
}

}  // namespace sluice::dcbx
