#include "control/evpn/manager.h"

#include <fmt/format.h>

#include <cerrno>
#include <fstream>
#include <system_error>
#include <utility>
#include <variant>

#include "config/port/encapsulations.h"
#include "config/protocols/evpn.h"
#include "control/evpn/host_packets.h"
#include "dataplane/ingress/parse.h"
#include "dataplane/ingress/tagging.h"

namespace sluice::control {

namespace {

constexpr Nanos watch_period{1'000'000'000};
static_assert(max_ports * evpn::Network::most_numbers <= evpn::Neighbours::mark);
static_assert(evpn::Neighbours::mark < evpn::Dump::mark);

// Whether the kernel refused a request. Adding an entry that exists or removing one that does not
// exist is no refusal.
bool is_refusal(int error) { return error != 0 && error != ENOENT && error != EEXIST; }

// The VLAN in which the port's worker bridged the frame, and whether the frame had the port's own
// tag.
struct Bridged {
    VlanId vlan = 0;  // 0: in no VLAN
    bool tagged = false;
};
Bridged bridged(std::span<const uint8_t> octets, const PortSettings& port) {
    evpn::Octets copy(octets.begin(), octets.end());
    Frame frame{};
    frame.data = copy.data();
    frame.length = static_cast<uint16_t>(copy.size());
    Headers headers;
    if (parse(octets, headers) != Drop::none) return {};
    if (port.tagging.aware) accept_tag(frame, port.tagging, headers.vlan);
    return {headers.vlan != 0 ? headers.vlan : port.default_vlan,
            form_of_tag(frame, port.tagging).tagged};
}

// Returns how many neighbours may be written. The kernel has one table for each IP version, for all
// namespaces and interfaces, and removes entries beyond this number.
std::size_t most_neighbours_here() {
    constexpr std::size_t by_default = 512;
    std::ifstream said("/proc/sys/net/ipv4/neigh/default/gc_thresh2");
    std::size_t most = 0;
    return said >> most ? most : by_default;
}

}  // namespace

EvpnManager::EvpnManager(Switch& dataplane, const config::Configuration& configuration,
                         const Settings& settings, Nanos now, std::function<void()> wake,
                         EventSink& events, const Open& open, BundleOf bundle_of)
    : dataplane_(dataplane),
      settings_(settings),
      events_(events),
      wake_(std::move(wake)),
      bundle_of_(std::move(bundle_of)),
      daemon_(configuration.evpn.daemon_socket, now),
      capacity_{.most = configuration.settings.fdb.capacity},
      capacity_for_neighbours_(capacity_),
      capacity_for_neighbours_here_{.most = most_neighbours_here()},
      dump_(configuration.settings.vlan.neigh_suppress.any()),
      looked_at_daemon_(now) {
    const std::vector<config::PortConfig>& ports = configuration.ports;
    for (const config::VniConfig& config : configuration.evpn.vnis) {
        const auto place = static_cast<uint32_t>(networks_.size());
        evpn::Network::Options options{.tunnels = config::tunnels_of(config, ports),
                                       .to_many = config::tunnel_to_many_of(config, ports),
                                       .grace = configuration.evpn.grace,
                                       .capacity = &capacity_,
                                       .numbers = place * evpn::Network::most_numbers};
        Ipv4Address own;
        const auto to_many = options.to_many;
        PortSet tunnels = to_many ? only(*to_many) : 0;
        for (const auto& [vtep, port] : options.tunnels) tunnels |= only(port);
        for_each_port(tunnels, [&](PortIndex port) {
            own = *ports[configuration.settings.ports[port].underlay].underlay->address;
        });
        evpn_ports_ |= tunnels;
        networks_.push_back(std::make_unique<OneNetwork>(
            OneNetwork{config, own, evpn::Network(std::move(options), now)}));
        networks_.back()->to_many = to_many;
        if (config.neigh_suppress) {
            networks_.back()->neighbours.emplace(
                evpn::Neighbours::Options{.vlan = config.vlan,
                                          .grace = configuration.evpn.grace,
                                          .capacity = &capacity_for_neighbours_,
                                          .capacity_here = &capacity_for_neighbours_here_,
                                          .filter = &dataplane.neighbours()},
                now);
        }
        by_vlan_[config.vlan] = networks_.back().get();
    }
    if (!is_on()) return;
    unflooded_ = evpn_ports_;
    socket_ = open();
    for (const auto& of : networks_) of->why = "the kernel was not queried yet";
    if (socket_->why_small().empty()) return;
    events_.warn("evpn_refused", {},
                 fmt::format("the receive buffer of the netlink socket is below {} octets: {}",
                             evpn::KernelSocket::waiting_octets, socket_->why_small()));
}

void EvpnManager::proceed(const Settings& settings, Nanos now) {
    now_ = now;
    sticky_ = 0;
    for (PortIndex port = 0; port < settings.ports.size(); ++port) {
        if (settings.ports[port].sticky) sticky_ |= only(port);
    }
    const bool has_all = take_messages(now);
    ask(now);
    receive_from_hosts(settings, now);
    // Nothing is concluded before all entries of the bridge have been read.
    if (has_all && dump_.is_done()) {
        look_at_fdb(now);
        for (const auto& of : networks_) {
            of->network.proceed(now, effects_of(*of));
            follow_vteps(*of);
            if (of->network.takes_dump_wish()) dump_.want_entries();
            if (of->neighbours) of->neighbours->proceed(now, neighbour_effects_of(*of));
        }
    }
    PortSet flooded = 0;
    for (const auto& of : networks_) flooded |= of->network.flooded();
    if (const PortSet unflooded = evpn_ports_ & ~flooded; unflooded != unflooded_) {
        dataplane_.set_unflooded(unflooded_ = unflooded);
    }
    watch_daemon(now);
}

void EvpnManager::stop(Nanos) {
    for (const auto& of : networks_) {
        of->network.stop(effects_of(*of));
        if (of->neighbours) of->neighbours->stop(neighbour_effects_of(*of));
    }
}

// --- the kernel ----------------------------------------------------------------------------------

bool EvpnManager::take_messages(Nanos now) {
    if (!socket_->why_not().empty()) return true;
    const evpn::Kernel::Taken taken = socket_->take([&](std::span<const uint8_t> octets) {
        for (const evpn::Message& message : evpn::read_messages(octets)) {
            std::visit([&](const auto& said) { receive(said, now); }, message);
        }
    });
    lost_ |= taken.lost;
    if (std::exchange(lost_, false)) {
        ++resyncs_;
        dump_.lose(now);
        events_.warn("evpn_resync", {}, "netlink messages lost; resynchronising");
    }
    return !taken.more;
}

void EvpnManager::ask(Nanos now) {
    if (!socket_->why_not().empty()) return;
    const evpn::Dump::What what = dump_.next(now);
    if (what == evpn::Dump::What::none) return;
    if (what == evpn::Dump::What::links) {
        links_.clear();
        has_links_ = false;
        return dump_.sent(socket_->send(evpn::ask_for_links(dump_.number())), now);
    }
    const bool of_entries = what == evpn::Dump::What::entries;
    for (const auto& of : networks_) {
        if (of_entries) of->network.begin_dump();
        if (!of_entries && of->neighbours) of->neighbours->begin_dump();
    }
    const auto request = of_entries ? evpn::ask_for_entries(dump_.number())
                                    : evpn::ask_for_neighbours(dump_.number());
    dump_.sent(socket_->send(request), now);
}

void EvpnManager::send(const evpn::Octets& octets) {
    if (!socket_->send(octets)) lost_ = true;
}

void EvpnManager::receive(const evpn::Answer& answer, Nanos now) {
    if ((answer.number & evpn::Dump::mark) == 0) {
        // The numbers of requests about neighbours match no network.
        const std::size_t place = answer.number / evpn::Network::most_numbers;
        if (place < networks_.size()) networks_[place]->network.receive(answer, now);
        if (!is_refusal(answer.error)) return;
        ++refused_;
        std::string why = std::generic_category().message(answer.error);
        if (why == why_refused_) return;
        why_refused_ = std::move(why);
        return events_.warn("evpn_refused", {},
                            "the kernel did not write an address: " + why_refused_);
    }
    switch (dump_.answer(answer.number, answer.error, now)) {
        case evpn::Dump::What::links:
            has_links_ = true;
            return check_bridges(now);
        case evpn::Dump::What::entries:
            return end_dump_of_entries(now);
        case evpn::Dump::What::neighbours:
            return end_dump_of_neighbours(now);
        default:
            return;
    }
}

void EvpnManager::receive(const evpn::Interruption& interruption, Nanos) {
    dump_.interrupt(interruption.number);
}

void EvpnManager::end_dump_of_entries(Nanos now) {
    bool is_whole = true;
    for (const auto& of : networks_) is_whole &= of->network.end_dump(now);
    if (!is_whole) dump_.want_entries_later(now);
}

void EvpnManager::end_dump_of_neighbours(Nanos now) {
    bool is_whole = true;
    for (const auto& of : networks_) {
        if (of->neighbours) is_whole &= of->neighbours->end_dump(now);
    }
    if (!is_whole) dump_.want_entries_later(now);
}

void EvpnManager::receive(const evpn::Neighbour& neighbour, Nanos) {
    for (const auto& of : networks_) {
        if (of->neighbours) of->neighbours->receive(neighbour);
    }
}

void EvpnManager::receive(const evpn::Entry& entry, Nanos now) {
    for (const auto& of : networks_) of->network.receive(entry, now);
}

void EvpnManager::receive(const evpn::Link& link, Nanos now) {
    std::erase_if(links_, [&](const auto& item) {
        return item.second.interface == link.interface || item.first == link.name;
    });
    if (!link.removed) {
        for (const auto& of : networks_) {
            const bool is_named =
                link.name == of->config.device || link.name == of->config.local_device;
            if (is_named) links_.insert_or_assign(link.name, link);
        }
    }
    if (has_links_) check_bridges(now);
}

// Returns why the devices do not fit the network; empty: they do.
std::string EvpnManager::why_down(const OneNetwork& of) const {
    if (!socket_->why_not().empty()) return socket_->why_not();
    const auto device = links_.find(of.config.device);
    const auto local = links_.find(of.config.local_device);
    if (device == links_.end()) return of.config.device + " does not exist";
    if (local == links_.end()) return of.config.local_device + " does not exist";
    const evpn::Link& vxlan = device->second;
    if (!vxlan.is_vxlan || vxlan.vni != of.config.vni) {
        return fmt::format("{} is no VXLAN device of VNI {}", of.config.device, of.config.vni);
    }
    if (!vxlan.is_up) return of.config.device + " is down";
    if (vxlan.local != of.own) {
        return fmt::format(
            "the local address of {} is {}, but its tunnels use {}", of.config.device,
            vxlan.local ? config::to_text(*vxlan.local) : "not set", config::to_text(of.own));
    }
    if (vxlan.bridge == 0 || vxlan.bridge != local->second.bridge) {
        return fmt::format("{} and {} are not in one bridge", of.config.device,
                           of.config.local_device);
    }
    return {};
}

void EvpnManager::check_bridges(Nanos now) {
    for (const auto& of : networks_) {
        std::string why = why_down(*of);
        evpn::KernelBridge bridge;
        if (why.empty()) {
            const evpn::Link& device = links_.at(of->config.device);
            bridge = {device.interface, links_.at(of->config.local_device).interface,
                      device.bridge};
        }
        const bool is_other = bridge != of->network.bridge();
        of->network.set_bridge(bridge, now);
        if (of->neighbours) of->neighbours->set_bridge(bridge.bridge);
        if (is_other && why.empty()) dump_.want_entries();
        if (why == of->why) continue;
        of->why = std::move(why);
        const bool is_up = of->why.empty();
        if (is_up) {
            events_.notice("evpn_up", {},
                           fmt::format("VNI {} uses the devices {} and {}", of->config.vni,
                                       of->config.device, of->config.local_device));
        } else {
            events_.warn("evpn_down", {}, fmt::format("VNI {}: {}", of->config.vni, of->why));
        }
    }
}

// --- the FDB -------------------------------------------------------------------------------------

evpn::Known EvpnManager::known(PortIndex port, EntryKind kind) const {
    using enum evpn::Known::As;
    if ((evpn_ports_ & only(port)) != 0) return {.as = remote, .port = port};
    return {.as = local, .sticky = kind == EntryKind::fixed || (sticky_ & only(port)) != 0};
}

evpn::Network::Effects EvpnManager::effects_of(const OneNetwork& of) {
    const VlanId vlan = of.config.vlan;
    return {.look_up = [this, vlan](MacAddress address) -> evpn::Known {
                const Fdb& fdb = dataplane_.fdb();
                const auto found = fdb.find(fdb.probe(Fdb::key_of(vlan, address)));
                return found ? known(found.port(), found.kind()) : evpn::Known{};
            },
            .order =
                [this, vlan](MacAddress address, RemoteOrder order) {
                    const bool has_room = dataplane_.order_remote(vlan, address, order);
                    wake_();
                    return has_room ? std::optional(++orders_) : std::nullopt;
                },
            .place_behind =
                [this, &of](MacAddress address, std::optional<Ipv4Address> vtep) {
                    place_behind(of, address, vtep);
                },
            .carried_out = [this] { return orders_ - dataplane_.remote_orders_not_taken(); },
            .send_to_kernel = [this](const evpn::Octets& octets) { send(octets); },
            .daemon_is_there = [this] { return daemon_.is_held(); },
            .daemon_began = [this] { return daemon_.began(); }};
}

void EvpnManager::look_at_fdb(Nanos now) {
    const Fdb& fdb = dataplane_.fdb();
    fdb.for_each_in(bucket_, buckets_a_turn, [&](const FdbEntry& entry) {
        if (entry.family != FormatFamily::ethernet || (evpn_ports_ & only(entry.port)) != 0) return;
        const auto found = by_vlan_.find(entry.vlan);
        if (found == by_vlan_.end()) return;
        found->second->network.see_local(entry.address, known(entry.port, entry.kind), now,
                                         effects_of(*found->second));
    });
    bucket_ = bucket_ + buckets_a_turn < fdb.bucket_count() ? bucket_ + buckets_a_turn : 0;
}

// --- IP addresses that hosts announce ------------------------------------------------------------

evpn::Neighbours::Effects EvpnManager::neighbour_effects_of(const OneNetwork& of) {
    evpn::Network::Effects effects = effects_of(of);
    return {.look_up = std::move(effects.look_up),
            .send_to_kernel = std::move(effects.send_to_kernel),
            .daemon_is_there = std::move(effects.daemon_is_there)};
}

void EvpnManager::receive_from_hosts(const Settings& settings, Nanos now) {
    if (settings.vlan.neigh_suppress.none()) return;
    for (PortIndex port = 0; port < settings.ports.size(); ++port) {
        Mailbox& box = dataplane_.received(port, ControlProtocol::neighbour);
        for (uint32_t frames = 0; frames < Mailbox::slots && !box.front().empty(); ++frames) {
            const bool is_open = dataplane_.refusal(port) == Drop::none;
            if (is_open) receive_from_host(port, settings.ports[port], box.front(), now);
            box.pop();
        }
    }
}

// Learns the sender's addresses. Answers a request only if workers do not flood it. Drops an answer
// if the mailbox has no room: the host repeats its request.
void EvpnManager::receive_from_host(PortIndex port, const PortSettings& settings,
                                    std::span<const uint8_t> octets, Nanos now) {
    const auto [vlan, tagged] = bridged(octets, settings);
    const auto found = by_vlan_.find(vlan);
    if (found == by_vlan_.end() || !found->second->neighbours) return;
    evpn::Neighbours& neighbours = *found->second->neighbours;
    const auto host_packet = evpn::read_host_packet(octets, tagged);
    if (!host_packet) return;
    const NeighbourFilter& filter = dataplane_.neighbours();
    const bool is_taken =
        host_packet->asks && filter.has(filter.answered(vlan, *host_packet->asks));
    if (host_packet->says) neighbours.claim(*host_packet->says, host_packet->router, now);
    if (!is_taken) return;
    const auto station = neighbours.answer(*host_packet->asks, host_packet->from,
                                           neighbour_effects_of(*found->second));
    neighbours.count_question(
        station && dataplane_.send_for_control(port, evpn::answer_to(octets, tagged, *station)));
}

// --- what is watched -----------------------------------------------------------------------------

void EvpnManager::watch_daemon(Nanos now) {
    if (now - looked_at_daemon_ < watch_period) return;
    looked_at_daemon_ = now;
    report_vteps_without_tunnel();
    report_stations_left_out(now);
    const bool is_new = daemon_.is_new(now);
    if (const std::string& why = daemon_.why_unseen(); why != why_unseen_) {
        why_unseen_ = why;
        if (!why.empty()) events_.warn("evpn_daemon_unseen", {}, daemon_.path() + ": " + why);
    }
    if (!is_new) return;
    for (const auto& of : networks_) {
        of->network.daemon_began(now);
        if (of->neighbours) of->neighbours->daemon_began(now);
    }
    events_.notice("evpn_daemon_began", {},
                   daemon_.path() +
                       " is new: the routing daemon restarted; entries that it does not refresh "
                       "will be removed");
}

void EvpnManager::report_vteps_without_tunnel() {
    for (const auto& of : networks_) {
        std::erase_if(of->warned_of,
                      [&](Ipv4Address vtep) { return !of->network.vteps().contains(vtep); });
        for (const auto& [vtep, about] : of->network.vteps()) {
            if (of->network.tunnel_to(vtep) || !of->warned_of.insert(vtep).second) continue;
            events_.warn(
                "evpn_no_tunnel", {},
                fmt::format("VNI {}: no port is a tunnel to the VTEP {}, nothing reaches it",
                            of->config.vni, config::to_text(vtep)));
        }
    }
}

}  // namespace sluice::control
