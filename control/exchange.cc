#include "control/exchange.h"

#include <fmt/format.h>

#include <utility>

#include "control/dcbx/classification.h"
#include "control/dcbx/scheduling.h"
#include "control/dcbx_text.h"

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
    return with_pfc && settings.flow_control == FlowControl::pfc;
}

// An agent is Discovery's to ask and Exchange's to own.
class Passenger final : public lldp::Rider {
  public:
    explicit Passenger(dcbx::Agent& agent) : agent_(agent) {}
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

}  // namespace

dcbx::Local local_of(const config::PortDcbxConfig& dcbx, const PortSettings& settings) {
    const bool pfc = has_pfc(settings);
    dcbx::Local local{.address = settings.address,
                      .ets = dcbx::ets_of(settings.scheduler),
                      .pfc = {.enabled = pfc ? settings.pfc.lossless : PrioritySet{0},
                              .capability = pfc ? uint8_t{max_priorities} : uint8_t{0}},
                      .willing = {.ets = dcbx.willing_ets,
                                  .pfc = dcbx.willing_pfc && pfc,
                                  .application = dcbx.willing_application},
                      .recommend = dcbx.recommend,
                      .defend = dcbx.defend};
    local.application = dcbx::applications_of(settings.classify);
    return local;
}

Negotiated negotiated_by(const dcbx::Agent& agent, const PortSettings& written) {
    Negotiated agreed{.defended = agent.operational().defended};
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

Exchange::Exchange(Publisher& publisher, Nanos now)
    : publisher_(publisher),
      agents_(publisher.running().ports.size()),
      settled_(agents_.size()),
      limits_(agents_.size()) {
    for (FrameLimit& limit : limits_) limit.configure(1, news_burst);
    configure(now);
    settle(now);
}

std::unique_ptr<lldp::Rider> Exchange::rider(PortIndex port) {
    return std::make_unique<Passenger>(agents_[port]);
}

void Exchange::configure(Nanos now) {
    const config::Configuration& running = publisher_.running();
    for (PortIndex port = 0; port < agents_.size(); ++port) {
        const config::PortDcbxConfig& dcbx = running.ports[port].dcbx;
        agents_[port].configure(mode_of(dcbx.mode), local_of(dcbx, running.settings.ports[port]),
                                now);
    }
}

tl::expected<void, std::vector<std::string>> Exchange::adopt(config::Configuration next,
                                                             Nanos now) {
    return publisher_.adopt(std::move(next), [&] {
        configure(now);
        return agreed();
    });
}

std::vector<Negotiated> Exchange::agreed() const {
    std::vector<Negotiated> agreed;
    for (PortIndex port = 0; port < agents_.size(); ++port) {
        agreed.push_back(negotiated_by(agents_[port], publisher_.running().settings.ports[port]));
    }
    return agreed;
}

// Whether a port has begun or ceased to refuse.
bool Exchange::bring_into_effect(Nanos now) {
    std::vector<Negotiated> agreed = this->agreed();
    publisher_.negotiated(agreed);
    bool changed = false;
    for (PortIndex port = 0; port < agents_.size(); ++port) {
        changed = changed || agents_[port].refuses_pfc() != lacks_room(port);
        agents_[port].refuse_pfc(lacks_room(port) ? agreed[port].lossless : std::nullopt, now);
    }
    return changed;
}

std::vector<ExchangeNews> Exchange::settle(Nanos now) {
    // A refusal may change what else holds, such as a defence.
    if (bring_into_effect(now)) bring_into_effect(now);
    std::vector<ExchangeNews> news;
    for (PortIndex port = 0; port < agents_.size(); ++port) compare(port, now, news);
    lacked_room_ = publisher_.without_room();
    return news;
}

void Exchange::compare(PortIndex port, Nanos now, std::vector<ExchangeNews>& news) {
    if (settled_[port] == agents_[port].status() && lacks_room(port) == lacked_room(port)) return;
    const auto before = std::exchange(settled_[port], agents_[port].status());
    const auto add = [&](bool warning, std::string kind, std::string text) {
        if (limits_[port].takes(now)) {
            news.push_back({port, warning, std::move(kind), std::move(text)});
        }
    };
    const auto was = [&](dcbx::Feature feature) {
        for (const dcbx::FeatureStatus& row : before) {
            if (row.feature == feature) return row;
        }
        return dcbx::FeatureStatus{};
    };
    for (const dcbx::FeatureStatus& row : settled_[port]) {
        const dcbx::FeatureStatus old = was(row.feature);
        const std::string oper = text_of(row.oper);
        if (row.from_peer && (!old.from_peer || row.oper != old.oper)) {
            add(false, "dcbx_applied",
                fmt::format("{}: {}, as the peer says", name(row.feature), oper));
        } else if (old.from_peer && !row.from_peer) {
            add(false, "dcbx_reverted",
                fmt::format("{}: {}, as it is written", name(row.feature), oper));
        }
        if (row.mismatch && !old.mismatch) {
            add(true, "dcbx_mismatch",
                fmt::format("{}: {} here, {} at the peer; set both ends alike, or one willing",
                            name(row.feature), oper, row.peer ? text_of(*row.peer) : "not told"));
        } else if (old.mismatch && !row.mismatch) {
            add(false, "dcbx_mismatch_over", fmt::format("{}: {}", name(row.feature), oper));
        }
    }
    if (lacks_room(port) && !lacked_room(port)) {
        add(true, "dcbx_refused",
            fmt::format("the buffer has no headroom for lossless priorities {}; those that are "
                        "written stay; raise buffer.size",
                        text_of(agents_[port].asked_pfc().value_or(0))));
    }
}

}  // namespace sluice::control
