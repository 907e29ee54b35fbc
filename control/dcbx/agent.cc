#include "control/dcbx/agent.h"

#include <cassert>
#include <utility>

#include "control/dcbx/classification.h"

namespace sluice::dcbx {

void Agent::configure(Mode mode, const Local& local, Nanos now) {
    Local next = local;
    next.refuse_pfc = local_.refuse_pfc;
    if (mode == mode_ && next == local_) return;
    const bool other_mode = std::exchange(mode_, mode) != mode;
    local_ = std::move(next);
    listen(other_mode);
    update(now);
}

std::vector<lldp::OrganisationalTlv> Agent::neighbours(
    std::span<const lldp::OrganisationalNeighbour> neighbours, Nanos now) {
    std::optional<ReceivedTlvs> received;
    std::size_t peers = 0;
    for (const lldp::OrganisationalNeighbour& neighbour : neighbours) {
        if (!speaks_dcbx(neighbour.tlvs)) continue;
        if (++peers == 1) received = ReceivedTlvs{neighbour.source, neighbour.tlvs};
    }
    if (peers > 1) received.reset();
    if (peers > 1 && peers_ <= 1) faults_.count(Fault::many_neighbours);
    peers_ = peers;
    if (received != received_) {
        received_ = std::move(received);
        listen(true);
        update(now);
    }
    return to_send();
}

void Agent::refuse_pfc(bool refused, Nanos now) {
    if (std::exchange(local_.refuse_pfc, refused) == refused) return;
    listen(false);
    update(now);
}

std::optional<PrioritySet> Agent::asked_pfc() const {
    for (const FeatureStatus& row : status_) {
        if (row.feature == Feature::pfc) return row.asked;
    }
    return std::nullopt;
}

// Passes the settings and the peer's TLVs to the protocol. `again`: the frame has changed, or has
// to be read differently.
void Agent::listen(bool again) {
    if (mode_ == Mode::disabled) {
        protocol_.reset();
        present_faults_ = {};
        return;
    }
    const Tlvs frame = received_ ? Tlvs(received_->tlvs) : Tlvs();
    const Dialect dialect = choose(mode_, frame);
    if (!protocol_ || dialect != dialect_) {
        dialect_ = dialect;
        protocol_ = make_protocol(dialect);
        again = true;
    }
    protocol_->set_local(local_);
    if (!again) return;
    std::optional<PeerSays> peer;
    present_faults_ = {};
    if (received_) peer = {received_->source, read(dialect_, frame, present_faults_)};
    if (peer && peer->said.application) {
        ApplicationTable& table = peer->said.application->parameter;
        table = classified_by(table, present_faults_);
    }
    faults_.add(present_faults_);
    protocol_->receive(peer);
}

void Agent::update(Nanos now) {
    assert((mode_ == Mode::disabled) == (protocol_ == nullptr));
    const Operational before =
        std::exchange(operational_, protocol_ ? protocol_->operational()
                                              : Operational{.ets = local_.ets,
                                                            .pfc = local_.pfc.enabled,
                                                            .application = local_.application});
    if (operational_ != before) ++changes_;
    status_ = protocol_ ? protocol_->status() : std::vector<FeatureStatus>{};
    // No answer is pending if no peer sends the feature.
    for (FeatureStatus& row : status_) row.pending = row.pending && row.peer;
    const auto since = std::exchange(mismatch_since_, {});
    for (const FeatureStatus& row : status_) {
        if (!row.mismatch) continue;
        const auto index = static_cast<std::size_t>(row.feature);
        if (!since[index]) ++mismatches_[index];
        mismatch_since_[index] = since[index].value_or(now);
    }
}

std::vector<lldp::OrganisationalTlv> Agent::to_send() const {
    if (!protocol_) return {};
    return write(dialect_, protocol_->advertise());
}

}  // namespace sluice::dcbx
