#include "control/querier/manager.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "config/places.h"
#include "control/bridge_address.h"
#include "dataplane/types/tag.h"

namespace sluice::control {

using querier::Query;

namespace {

constexpr uint8_t pcp = 6;  // internetwork control (802.1Q table I-2)

}  // namespace

QuerierManager::QuerierManager(Switch& dataplane, const config::Configuration& configuration,
                               Nanos now, EventSink& events)
    : dataplane_(dataplane), events_(events), mac_(bridge_address(configuration)) {
    configure(configuration, now);
}

void QuerierManager::configure(const config::Configuration& configuration, Nanos now) {
    const Settings& settings = configuration.settings;
    config_ = configuration.querier;
    leaving_ = settings.multicast.leaving;
    fast_leave_ = settings.multicast.fast_leave;
    vlans_.configure(settings);
    aggregations_ = Aggregations(settings.aggregations);
    members_.clear();
    default_vlans_.clear();
    ethernet_ = 0;
    vacant_ = config::vacant_places(configuration);
    for (PortIndex port = 0; port < settings.ports.size(); ++port) {
        const PortSettings& about = settings.ports[port];
        members_.push_back(only(port) | aggregations_.others(port));
        default_vlans_.push_back(about.tagging.aware ? VlanId{0} : about.default_vlan);
        if (about.format.family == FormatFamily::ethernet) ethernet_ |= only(port);
    }
    std::map<Key, Network> before = std::exchange(networks_, {});
    const querier::Times times{config_.interval, config_.response, settings.multicast.ageing};
    for (VlanId vlan = 1; vlan < max_vlans; ++vlan) {
        if (!settings.multicast.queried[vlan]) continue;
        for (const GroupProtocol protocol : {GroupProtocol::igmp, GroupProtocol::mld}) {
            if ((settings.multicast.snooping[vlan] & only_protocol(protocol)) == 0) continue;
            const Key key(vlan, protocol);
            const GroupSource own = querier::address_of(query_for({.key = key}));
            const auto known = before.find(key);
            if (known != before.end() && known->second.own == own && known->second.times == times) {
                Network& kept = networks_.insert(before.extract(known)).position->second;
                const auto& other = kept.election.other();
                if (other && is_vacant(other->port)) kept.election.forget_other(now);
            } else {
                networks_.emplace(key, Network{.own = own,
                                               .times = times,
                                               .election = querier::Election(own, times, now)});
            }
        }
    }
    std::erase_if(asked_, [&](const Asked& asked) { return !networks_.contains(asked.key); });
}

void QuerierManager::tick(Nanos now) {
    dataplane_.take_membership_news([&](const MembershipNews& news) { hear(news, now); });
    if (networks_.empty()) return;
    follow_outputs(now);
    for (auto& [key, network] : networks_) {
        if (network.election.take_due(now)) ask_all(key, vlans_.members(key.first), now);
        const bool is_other = network.election.other().has_value();
        if (std::exchange(network.other_reported, is_other) == is_other) continue;
        events_.report(event_of(key, network), now);
    }
    budget_.fill(frames_at_once);
    std::ranges::stable_sort(asked_, {}, &Asked::turn);
    for (Asked& asked : asked_) {
        if (asked.at > now) continue;
        send(asked);
        if (asked.left != 0 || --asked.times == 0) continue;
        asked.left = asked.ports;
        asked.at = now + Nanos(leaving_.count() / group_queries);
    }
    end(now);
}

void QuerierManager::ask_again(Nanos now) {
    for (const auto& [key, network] : networks_) {
        if (!network.election.other()) ask_all(key, vlans_.members(key.first), now);
    }
}

void QuerierManager::hear(const MembershipNews& news, Nanos now) {
    const Key key(news.vlan, news.protocol);
    const auto found = networks_.find(key);
    if (found == networks_.end() || is_vacant(news.port)) return;
    querier::Election& election = found->second.election;
    if (news.kind == MembershipNews::Kind::query) {
        return election.hear(news.address, news.port, news.interval_s, now);
    }
    if (election.other() || fast_leave_) return;
    ask_for(key, news.address, news.port, now);
}

void QuerierManager::ask_all(Key key, PortSet ports, Nanos now) {
    const PortSet bridge_ports = aggregations_.bridge_ports(ports) & ethernet_;
    const auto same = std::ranges::find_if(
        asked_, [&](const Asked& other) { return other.key == key && other.is_general(); });
    if (same == asked_.end()) {
        return asked_.push_back(
            {.key = key, .ports = bridge_ports, .left = bridge_ports, .at = now});
    }
    same->ports |= bridge_ports;
    same->left |= bridge_ports;
    same->at = std::min(same->at, now);
}

void QuerierManager::ask_for(Key key, const GroupSource& group, PortIndex port, Nanos now) {
    const auto is_at_port = [&](const Asked& other) {
        return !other.is_general() && other.ports == only(port);
    };
    const auto is_same = [&](const Asked& other) {
        return is_at_port(other) && other.key == key && other.group == group;
    };
    if (std::ranges::any_of(asked_, is_same)) return;
    const auto groups =
        static_cast<std::size_t>(std::ranges::count_if(asked_, std::not_fn(&Asked::is_general)));
    if (groups >= most_groups || std::ranges::count_if(asked_, is_at_port) >= most_groups_of_port) {
        ++groups_left_out_;
        return;
    }
    asked_.push_back({.key = key,
                      .group = group,
                      .ports = only(port),
                      .left = only(port),
                      .times = group_queries,
                      .at = now,
                      .until = now + leaving_});
}

// Removes queries that were sent, and queries whose time to be answered is over.
void QuerierManager::end(Nanos now) {
    std::erase_if(asked_, [&](const Asked& asked) {
        if (asked.left == 0 && asked.times == 0) return true;
        if (asked.is_general() || now < asked.until) return false;
        if (asked.times == group_queries) ++groups_left_out_;
        return true;
    });
}

// Sends queries at once at ports that have become outputs, because hosts there may have joined
// groups before.
void QuerierManager::follow_outputs(Nanos now) {
    const PortSet outputs = dataplane_.outputs();
    const PortSet come = outputs & ~std::exchange(outputs_seen_, outputs);
    if (come == 0) return;
    for (const auto& [key, network] : networks_) {
        if (network.election.other()) continue;
        ask_all(key, vlans_.members(key.first) & come, now);
    }
}

Query QuerierManager::query_for(const Asked& asked) const {
    const bool igmp = asked.key.second == GroupProtocol::igmp;
    // Hosts have half the time between two queries to answer, so that the last answers arrive
    // before the group ends.
    const Nanos of_group(leaving_.count() / (2 * group_queries));
    return {.protocol = asked.key.second,
            .version = igmp ? config_.igmp_version : config_.mld_version,
            .mac = mac_,
            .ipv4 = config_.address,
            .group = asked.group,
            .response = asked.is_general() ? config_.response : of_group,
            .interval = config_.interval};
}

void QuerierManager::send(Asked& asked) {
    const std::vector<uint8_t> frame = querier::frame_of(query_for(asked));
    const auto found = networks_.find(asked.key);
    for_each_port(asked.left, [&](PortIndex port) {
        const PortSet senders = members_[port] & dataplane_.outputs();
        if (senders == 0) {
            asked.left &= ~only(port);
            return;
        }
        const PortIndex sender = first_of(senders);
        if (budget_[sender] == 0) return;
        --budget_[sender];
        if (!send_by(sender, frame, asked.key.first)) return;
        ++found->second.sent;
        asked.left &= ~only(port);
    });
}

// Sends with the tag that frames of the VLAN have at the port. A port that is not tag-aware sends
// frames of VLANs other than its default VLAN tagged. Returns false if the mailbox has no room.
bool QuerierManager::send_by(PortIndex port, const std::vector<uint8_t>& untagged, VlanId vlan) {
    const TagEdit edit = vlans_.tag_edit(vlan, {}, port);
    const VlanId without = default_vlans_[port];
    const bool by_default = without != 0 && without != vlan;
    if (!is_push(edit) && !by_default) return dataplane_.send_for_control(port, untagged);
    const TagType type = edit == TagEdit::push_service ? TagType::service : TagType::customer;
    std::array<uint8_t, tag_octets> tag{};
    write_16(tag.data(), ether_type_of(type));
    write_16(tag.data() + 2, static_cast<uint16_t>(pcp << 13 | vlan));
    std::vector<uint8_t> frame = untagged;
    frame.insert(frame.begin() + tag_offset, tag.begin(), tag.end());
    return dataplane_.send_for_control(port, frame);
}

Event QuerierManager::event_of(Key key, const Network& network) {
    const auto& [vlan, protocol] = key;
    const std::string where = fmt::format("{} in VLAN {}", querier::name_of(protocol), vlan);
    const auto& other = network.election.other();
    if (!other) {
        return notice("querier_began", {}, where + ": no other querier; this switch queries");
    }
    return notice("querier_other", other->port,
                  fmt::format("{}: {} queries; this switch is silent", where,
                              querier::text_of(protocol, other->address)));
}

}  // namespace sluice::control
