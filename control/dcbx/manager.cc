#include "control/dcbx/manager.h"

#include <fmt/format.h>

#include "config/difference.h"
#include "control/dcbx/classification.h"
#include "control/dcbx/scheduling.h"
#include "control/show/dcbx_text.h"
#include "dataplane/pfc/pause_bits.h"

namespace sluice::control {

namespace {

dcbx::Mode mode_of(config::DcbxMode mode) {
    switch (mode) {
        case config::DcbxMode::ieee:
            return dcbx::Mode::ieee;
        case config::DcbxMode::draft0409:
            return dcbx::Mode::draft0409;
        case config::DcbxMode::cee:
            return dcbx::Mode::cee;
        case config::DcbxMode::automatic:
            return dcbx::Mode::automatic;
        default:
            return dcbx::Mode::disabled;
    }
}

bool has_pfc(const PortSettings& settings) {
    return with_pfc && settings.flow_control != FlowControl::none;
}

// Lets LldpManager use an agent that DcbxManager owns.
class DcbxTlvProvider final : public lldp::TlvProvider {
  public:
    explicit DcbxTlvProvider(dcbx::Agent& agent) : agent_(agent) {}
    std::vector<lldp::OrganisationalTlv> neighbours(
        std::span<const lldp::OrganisationalNeighbour> neighbours, Nanos now) override {
        return agent_.neighbours(neighbours, now);
    }
    [[nodiscard]] std::vector<lldp::OrganisationalTlv> to_send() const override {
        return agent_.to_send();
    }

  private:
    dcbx::Agent& agent_;
};

// Returns the status of a feature. For a feature that is no longer negotiated the row holds the
// configured values.
dcbx::FeatureStatus row_of(const dcbx::Agent& agent, dcbx::Feature feature) {
    for (const dcbx::FeatureStatus& row : agent.status()) {
        if (row.feature == feature) return row;
    }
    dcbx::FeatureStatus row{.feature = feature};
    const dcbx::Operational& holds = agent.operational();
    if (feature == dcbx::Feature::ets) row.oper = holds.ets;
    if (feature == dcbx::Feature::pfc) row.oper = holds.pfc;
    if (feature == dcbx::Feature::application) row.oper = holds.application;
    return row;
}

std::string mismatch_of(const dcbx::FeatureStatus& row) {
    const std::string oper = text_of(row.oper);
    if (row.mismatch == dcbx::Mismatch::peer_error) {
        return fmt::format("{} here; the peer reports a DCBX error; check the peer", oper);
    }
    if (row.mismatch == dcbx::Mismatch::capability) {
        return fmt::format("{} here, and the peer can pause {} at a time; make fewer lossless",
                           oper, row.peer_pfc->capability);
    }
    if (row.feature == dcbx::Feature::congestion) {
        return fmt::format("{} here, {} at the peer; turn it off there", oper, text_of(*row.peer));
    }
    return fmt::format("{} here, {} at the peer; set both ends alike, or one willing", oper,
                       row.peer ? text_of(*row.peer) : "not advertised");
}

std::string peers_of(std::size_t peers) {
    return fmt::format("{} neighbours speak DCBX, so all are ignored", peers);
}

// `peers`: how many neighbours speak DCBX.
std::vector<Event> events_of(PortIndex port, const dcbx::FeatureStatus& old,
                             const dcbx::FeatureStatus& row, std::size_t peers) {
    std::vector<Event> events;
    const std::string oper = text_of(row.oper);
    if (row.from_peer && (!old.from_peer || row.oper != old.oper)) {
        events.push_back(notice("dcbx_applied", port,
                                fmt::format("{}: {}, by the peer", name(row.feature), oper)));
    } else if (old.from_peer && !row.from_peer) {
        events.push_back(notice("dcbx_reverted", port,
                                fmt::format("{}: {}, as configured{}", name(row.feature), oper,
                                            peers > 1 ? "; " + peers_of(peers) : "")));
    }
    if (row.mismatch && !old.mismatch) {
        events.push_back(warning("dcbx_mismatch", port,
                                 fmt::format("{}: {}", name(row.feature), mismatch_of(row))));
    } else if (old.mismatch && !row.mismatch) {
        events.push_back(
            notice("dcbx_mismatch_over", port, fmt::format("{}: {}", name(row.feature), oper)));
    }
    return events;
}

Event refusal_of(PortIndex port, const dcbx::Agent& agent) {
    return warning("dcbx_refused", port,
                   fmt::format("the buffer has no headroom for lossless priorities {}; the "
                               "configured ones stay; raise buffer.size",
                               text_of(agent.asked_pfc().value_or(0))));
}

Event many_peers_of(PortIndex port, const dcbx::Agent& agent) {
    if (agent.peers() > 1) {
        return warning("dcbx_many_peers", port,
                       peers_of(agent.peers()) + "; disable DCBX on all but one");
    }
    if (agent.mode() == dcbx::Mode::disabled) {
        return notice("dcbx_many_peers_over", port, "DCBX is disabled here");
    }
    return notice(
        "dcbx_many_peers_over", port,
        fmt::format("{} neighbour is left that speaks DCBX", agent.peers() == 1 ? "one" : "no"));
}

// Returns the names of the faults in the peer's last frame.
std::string faults_of(const dcbx::Agent& agent) {
    std::string names;
    for (std::size_t index = 0; index < dcbx::fault_names.size(); ++index) {
        const auto fault = static_cast<dcbx::Fault>(index);
        if (!is_of_peer(fault) || agent.present_faults()[fault] == 0) continue;
        names += fmt::format("{}{}", names.empty() ? "" : ", ", name(fault));
    }
    return names;
}

Event fault_of(PortIndex port, const std::string& faults) {
    if (faults.empty()) {
        return notice("dcbx_fault_over", port, "the peer's DCBX TLVs are valid again");
    }
    return warning(
        "dcbx_fault", port,
        fmt::format("invalid DCBX TLVs from the peer ({}): ignored; correct the peer's settings",
                    faults));
}

Event defence_of(PortIndex port, PrioritySet defence) {
    if (defence == 0) {
        return notice("dcbx_defence_over", port, "pfc: received frames are no longer discarded");
    }
    return warning(
        "dcbx_defence", port,
        fmt::format("pfc: frames received in {} are discarded until the peer has PFC there",
                    text_of(defence)));
}

Event hold_of(PortIndex port, PrioritySet held) {
    if (held == 0)
        return notice("dcbx_hold_over", port, "pfc: frames to the peer are no longer held");
    return warning("dcbx_hold", port,
                   fmt::format("pfc: frames in {} are held until the peer reports by LLDP that its "
                               "defences are off there",
                               text_of(held)));
}

}  // namespace

dcbx::Local local_of(const config::PortDcbxConfig& dcbx, const PortSettings& settings,
                     bool keeps_pfc) {
    const bool pfc = has_pfc(settings) && keeps_pfc;
    dcbx::Local local{.address = settings.address,
                      .ets = dcbx::ets_of(settings.scheduler),
                      .pfc = {.enabled = pfc ? named_bits(settings.pfc.bits, settings.pfc.lossless)
                                             : PrioritySet{0},
                              .capability = pfc ? uint8_t{max_priorities} : uint8_t{0}},
                      .willing = {.ets = dcbx.willing_ets,
                                  .pfc = dcbx.willing_pfc && pfc,
                                  .application = dcbx.willing_application},
                      .recommend = dcbx.recommend,
                      .defend = dcbx.defend,
                      .hold = dcbx.hold};
    local.application = dcbx::applications_of(settings.classify);
    if (dcbx.congestion) local.congestion = PrioritySet{0};
    return local;
}

Negotiated negotiated_by(const dcbx::Agent& agent, const PortSettings& written) {
    Negotiated agreed{.dcbx_defence = agent.operational().defence,
                      .dcbx_held = agent.operational().held};
    for (const dcbx::FeatureStatus& row : agent.status()) {
        if (row.feature == dcbx::Feature::pfc && has_pfc(written)) {
            agreed.lossless = agent.asked_pfc();
        }
        if (!row.from_peer) continue;
        if (row.feature == dcbx::Feature::ets) {
            agreed.ets = agent.operational().ets;
        } else if (row.feature == dcbx::Feature::application) {
            agreed.applications = agent.operational().application;
        }
    }
    return agreed;
}

DcbxManager::DcbxManager(Publisher& publisher, Nanos now, EventSink& events,
                         std::vector<PortAbilities> abilities)
    : publisher_(publisher),
      events_(events),
      abilities_(std::move(abilities)),
      agents_(publisher.running().ports.size()),
      reported_(agents_.size()) {
    follow_settings(now);
    bring_into_effect(now);
}

std::unique_ptr<lldp::TlvProvider> DcbxManager::tlv_provider(PortIndex port) {
    return std::make_unique<DcbxTlvProvider>(agents_[port]);
}

void DcbxManager::update_abilities(PortIndex port, PortAbilities abilities, Nanos now) {
    set_abilities(port, std::move(abilities));
    follow_settings(now);
}

void DcbxManager::follow_settings(Nanos now) {
    const config::Configuration& running = publisher_.running();
    for (PortIndex port = 0; port < agents_.size(); ++port) {
        const config::PortDcbxConfig& dcbx = running.ports[port].dcbx;
        const bool keeps = port >= abilities_.size() ||
                           keeps_pfc(abilities_[port].are, running.ports[port].unproved);
        agents_[port].configure(mode_of(dcbx.mode),
                                local_of(dcbx, running.settings.ports[port], keeps), now);
    }
}

tl::expected<void, std::vector<std::string>> DcbxManager::adopt(config::Configuration next,
                                                                Nanos now) {
    // If a restart is needed, capabilities are not checked, because those of the ports that the
    // restart would open are not known.
    if (config::difference_needing_restart(publisher_.running(), next).empty()) {
        auto lines = refusals(next, abilities_);
        if (!lines.empty()) return tl::unexpected(std::move(lines));
    }
    return publisher_.adopt(std::move(next), [&] {
        follow_settings(now);
        return agreed();
    });
}

std::vector<Negotiated> DcbxManager::agreed() const {
    std::vector<Negotiated> agreed;
    for (PortIndex port = 0; port < agents_.size(); ++port) {
        agreed.push_back(negotiated_by(agents_[port], publisher_.running().settings.ports[port]));
    }
    return agreed;
}

// Publishes the agreements. Returns true if a port begins or ceases to refuse its agreement.
bool DcbxManager::bring_into_effect(Nanos now) {
    std::vector<Negotiated> agreed = this->agreed();
    publisher_.negotiated(agreed);
    bool changed = false;
    for (PortIndex port = 0; port < agents_.size(); ++port) {
        changed = changed || agents_[port].refuses_pfc() != lacks_room(port);
        agents_[port].refuse_pfc(lacks_room(port), now);
    }
    return changed;
}

void DcbxManager::apply_agreed(Nanos now) {
    // A refusal may change other values, such as a defence, so the agreements are published again.
    if (bring_into_effect(now)) bring_into_effect(now);
    for (PortIndex port = 0; port < agents_.size(); ++port) compare(port, now);
}

void DcbxManager::compare(PortIndex port, Nanos now) {
    const dcbx::Agent& agent = agents_[port];
    Reported& reported = reported_[port];
    // An event that the limit suppresses counts as not reported; its state is compared again at the
    // next call.
    const auto let_out = [&](std::vector<Event> found) {
        if (found.empty()) return true;
        if (!events_.admits(found.front().kind, port, now)) return false;
        for (Event& item : found) events_.report(std::move(item));
        return true;
    };
    const bool many_peers = agent.peers() > 1;
    if (many_peers != reported.many_peers && let_out({many_peers_of(port, agent)})) {
        reported.many_peers = many_peers;
    }
    for (std::size_t index = 0; index < reported.rows.size(); ++index) {
        dcbx::FeatureStatus row = row_of(agent, static_cast<dcbx::Feature>(index));
        if (row != reported.rows[index] &&
            let_out(events_of(port, reported.rows[index], row, agent.peers()))) {
            reported.rows[index] = std::move(row);
        }
    }
    if (lacks_room(port) != reported.lacked_room) {
        std::vector<Event> found;
        if (lacks_room(port)) found.push_back(refusal_of(port, agent));
        if (let_out(std::move(found))) reported.lacked_room = lacks_room(port);
    }
    if (std::string faults = faults_of(agent);
        faults != reported.faults && let_out({fault_of(port, faults)})) {
        reported.faults = std::move(faults);
    }
    const PrioritySet defence = agent.operational().defence;
    if (defence != reported.defence && let_out({defence_of(port, defence)}))
        reported.defence = defence;
    const PrioritySet held = agent.operational().held;
    if (held != reported.held && let_out({hold_of(port, held)})) reported.held = held;
}

}  // namespace sluice::control
