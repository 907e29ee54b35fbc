#include "control/dcbx/agent.h"

#include <utility>

namespace sluice::dcbx {

void Agent::configure(Mode mode, const Local& local, Nanos now) {
    if (mode == mode_ && local == local_) return;
    const bool other_mode = std::exchange(mode_, mode) != mode;
    local_ = local;
    listen(other_mode);
    settle(now);
}

std::vector<lldp::OrganisationalTlv> Agent::neighbours(
    std::span<const lldp::OrganisationalNeighbour> neighbours, Nanos now) {
    const bool crowded = neighbours.size() > 1;
    if (crowded && !crowded_) faults_.count(Fault::many_neighbours);
    crowded_ = crowded;
    std::optional<Heard> heard;
    if (neighbours.size() == 1) {
        heard = Heard{neighbours.front().source, neighbours.front().tlvs};
    }
    if (heard != heard_) {
        heard_ = std::move(heard);
        listen(true);
        settle(now);
    }
    return to_send();
}

// `again`: the frame, or how it is to be read, is another one.
void Agent::listen(bool again) {
    if (mode_ == Mode::disabled) {
        protocol_.reset();
        return;
    }
    const Tlvs frame = heard_ ? Tlvs(heard_->tlvs) : Tlvs();
    const Dialect dialect = choose(mode_, frame);
    if (!protocol_ || dialect != dialect_) {
        dialect_ = dialect;
        protocol_ = make_protocol(dialect);
        again = true;
    }
    protocol_->set_local(local_);
    if (!again) return;
    std::optional<PeerSays> peer;
    if (heard_) peer = {heard_->source, read(dialect_, frame, faults_)};
    protocol_->hear(peer);
}

void Agent::settle(Nanos now) {
    const Operational before =
        std::exchange(operational_, protocol_ ? protocol_->operational()
                                              : Operational{.ets = local_.ets,
                                                            .pfc = local_.pfc.enabled,
                                                            .application = local_.application});
    if (operational_ != before) ++changes_;
    status_ = protocol_ ? protocol_->status() : std::vector<FeatureStatus>{};
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
