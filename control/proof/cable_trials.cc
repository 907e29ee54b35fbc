#include "control/proof/cable_trials.h"

#include <fmt/format.h>

#include <algorithm>
#include <random>
#include <string>
#include <string_view>

#include "control/port_names.h"
#include "control/show/json.h"
#include "control/socket/reply.h"

namespace sluice::control {

namespace {

TrialMark drawn_mark() {
    std::random_device entropy;
    TrialMark mark;
    for (uint16_t& word : mark) word = static_cast<uint16_t>(entropy());
    return mark;
}

std::string refusal_of(std::string line) { return refusal(Status::failed, {std::move(line)}); }

std::string text_of(const Seen& seen) {
    std::string text;
    const auto add = [&](bool is, std::string_view what) {
        if (is) text += fmt::format("{}{}", text.empty() ? "" : ", ", what);
    };
    add(seen.receives, "it receives pause frames");
    add(seen.sends, "it sends pause frames");
    add(seen.lldp, "it receives LLDP");
    return text;
}

}  // namespace

void CableTrials::begin(const TryCableRequest& request, const Reply& reply) {
    if (trial_)
        return reply(refusal_of("try_cable: another cable test is running; try again in a second"));
    std::array<CableEnd, 2> ends;
    for (std::size_t end = 0; end < ends.size(); ++end) {
        const std::string& name = request.ports[end];
        const auto called = port_called(name, parts_.publisher.running());
        if (!called) return reply(refusal(Status::wrong_input, {"try_cable: " + called.error()}));
        const PortIndex port = *called;
        if (!parts_.has_link(port)) {
            return reply(refusal_of(fmt::format(
                "try_cable: {} has no link; cable both to each other and bring them up", name)));
        }
        ends[end] = {port, parts_.publisher.running().settings.ports[port].address};
    }
    for (const CableEnd& end : ends) parts_.dataplane.want_trials(end.port, true);
    const std::vector<PortSettings>& ports = parts_.publisher.running().settings.ports;
    const bool pauses = std::ranges::none_of(
        ends, [&](const CableEnd& end) { return ports[end.port].pfc.by == PfcBy::queues; });
    trial_.emplace(Trial{CableTrial(ends, drawn_mark(), pauses), reply});
    tick({});
}

// LLDP ticks earlier (service_order.h), so LLDP has read all frames that arrived since the last
// tick.
void CableTrials::tick(Nanos /*now*/) {
    if (!trial_) return;
    const auto is_here = [this](const CableEnd& end) { return parts_.is_there(end.port); };
    if (!std::ranges::all_of(trial_->of.ends(), is_here)) {
        for (const CableEnd& end : trial_->of.ends()) {
            parts_.dataplane.want_trials(end.port, false);
        }
        const Reply reply = std::move(trial_->reply);
        trial_.reset();
        return reply(refusal_of("try_cable: a port was removed during the test; test again"));
    }
    if (trial_->of.is_over()) return end();
    trial_->of.send_round([this](PortIndex port, std::span<const uint8_t> octets) {
        return parts_.dataplane.send_for_control(port, octets);
    });
}

void CableTrials::end() {
    const CableTrial& trial = trial_->of;
    Json cables = Json::array();
    Json able = Json::array();
    for (std::size_t end = 0; end < trial.ends().size(); ++end) {
        const PortIndex port = trial.ends()[end].port;
        const PortIndex other = trial.ends()[1 - end].port;
        const std::string name = parts_.publisher.running().ports[port].name;
        const std::string other_name = parts_.publisher.running().ports[other].name;
        parts_.dataplane.want_trials(port, false);
        const Seen seen = trial.seen(end);
        const Abilities before = parts_.abilities(port).are;
        parts_.prove(port, seen);
        const PortAbilities& now = parts_.abilities(port);
        if (now.are != before) {
            parts_.events.notice(
                "pfc_proven", name,
                fmt::format("verified by a cable test to {}: {}", other_name, text_of(seen)));
        }
        const Arrivals& went = trial.from(end);
        cables.push_back({{"from", name},
                          {"to", other_name},
                          {"pauses_sent", went.pauses_sent},
                          {"pauses_arrived", went.pauses},
                          {"lldp_sent", went.lldp_sent},
                          {"lldp_arrived", went.lldp}});
        able.push_back({{"name", name},
                        {"pfc_rx", name_of(now.are.pfc_rx)},
                        {"pfc_tx", name_of(now.are.pfc_tx)},
                        {"lldp_rx", name_of(now.are.lldp_rx)}});
    }
    const bool pauses_tried = trial.tries_pauses();
    const Reply reply = std::move(trial_->reply);
    trial_.reset();
    reply(success({{"pauses_tried", pauses_tried},
                   {"directions", std::move(cables)},
                   {"ports", std::move(able)}}));
}

}  // namespace sluice::control
