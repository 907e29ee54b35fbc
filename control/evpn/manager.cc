#include "control/evpn/manager.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <cerrno>
#include <system_error>
#include <variant>

#include "config/port/encapsulations.h"

namespace sluice::control {

namespace {

constexpr Nanos watch_period{1'000'000'000};
// Of listings, so that no other request has it.
constexpr uint32_t of_listing = uint32_t{1} << 31;

// That it was there already, or is gone already, is as it was to be.
bool is_refusal(int error) { return error != 0 && error != ENOENT && error != EEXIST; }

}  // namespace

EvpnManager::EvpnManager(Switch& dataplane, const config::Configuration& configuration, Nanos now)
    : dataplane_(dataplane),
      daemon_socket_(configuration.evpn.daemon_socket),
      looked_at_daemon_(now) {
    const std::vector<config::PortConfig>& ports = configuration.ports;
    for (const config::VniConfig& config : configuration.evpn.vnis) {
        evpn::Network::Terms terms{.tunnels = {},
                                   .grace = configuration.evpn.grace,
                                   .most_addresses = configuration.settings.fdb.capacity};
        Ipv4Address own;
        for (PortIndex port = 0; port < ports.size(); ++port) {
            const auto* const vxlan =
                ports[port].tunnel ? std::get_if<VxlanTunnel>(&ports[port].tunnel->encapsulation)
                                   : nullptr;
            if (vxlan == nullptr || vxlan->vni != config.vni) continue;
            terms.tunnels.emplace(vxlan->remote, port);
            told_of_ |= only(port);
            own = *ports[configuration.settings.ports[port].underlay].underlay->address;
        }
        networks_.push_back(std::make_unique<OneNetwork>(
            OneNetwork{config, own, evpn::Network(std::move(terms), now)}));
        by_vlan_[config.vlan] = networks_.back().get();
    }
    if (!is_on()) return;
    unflooded_ = told_of_;
    daemon_ = daemon();
    socket_ = std::make_unique<evpn::KernelSocket>();
    for (const auto& of : networks_) of->why = "the kernel was not asked yet";
}

void EvpnManager::tell(bool warning, std::string kind, std::string text) {
    events_.push_back({warning, std::move(kind), std::move(text)});
}

std::vector<EvpnEvent> EvpnManager::proceed(const Settings& settings, Nanos now) {
    sticky_ = 0;
    for (PortIndex port = 0; port < settings.ports.size(); ++port) {
        if (settings.ports[port].sticky) sticky_ |= only(port);
    }
    take_messages(now);
    ask_again();
    // What the mirror has is heard before anything follows from it.
    if (listing_ == Listing::none) {
        look_at_fdb(now);
        for (const auto& of : networks_) of->network.proceed(now, effects_of(*of));
    }
    PortSet flooded = 0;
    for (const auto& of : networks_) flooded |= of->network.flooded();
    if (const PortSet unflooded = told_of_ & ~flooded; unflooded != unflooded_) {
        dataplane_.set_unflooded(unflooded_ = unflooded);
    }
    watch_daemon(now);
    return std::exchange(events_, {});
}

void EvpnManager::stop() {
    for (const auto& of : networks_) of->network.stop(effects_of(*of));
}

// --- the kernel ----------------------------------------------------------------------------------

void EvpnManager::take_messages(Nanos now) {
    if (!socket_->why_not().empty()) return;
    const bool whole = socket_->take([&](std::span<const uint8_t> octets) {
        for (const evpn::Message& message : evpn::read_messages(octets)) {
            std::visit([&](const auto& said) { hear(said, now); }, message);
        }
    });
    if (whole) return;
    ++resyncs_;
    wanted_ = Listing::links;
    tell(true, "evpn_resync", "the kernel said more than there was room for: it is asked again");
}

// One at a time: what is not done yet is asked for again once that is over.
void EvpnManager::ask_again() {
    if (listing_ != Listing::none || wanted_ == Listing::none || !socket_->why_not().empty()) {
        return;
    }
    listing_ = std::exchange(wanted_, Listing::none);
    number_ = of_listing | (number_ + 1);
    if (listing_ == Listing::links) {
        links_.clear();
        return socket_->send(evpn::ask_for_links(number_));
    }
    for (const auto& of : networks_) of->network.begin_listing();
    socket_->send(evpn::ask_for_entries(number_));
}

void EvpnManager::hear(const evpn::Answer& answer, Nanos now) {
    if ((answer.number & of_listing) == 0) {
        if (!is_refusal(answer.error)) return;
        ++refused_;
        std::string why = std::generic_category().message(answer.error);
        if (why == why_refused_) return;
        why_refused_ = std::move(why);
        return tell(true, "evpn_refused", "the kernel takes no local address: " + why_refused_);
    }
    if (answer.number != number_ || listing_ == Listing::none) return;
    const Listing ended = std::exchange(listing_, Listing::none);
    if (answer.error != 0) {  // another one is under way
        if (wanted_ == Listing::none) wanted_ = ended;
        return;
    }
    if (ended == Listing::links) {
        fit_mirrors(now);
        if (wanted_ == Listing::none) wanted_ = Listing::entries;
        return;
    }
    for (const auto& of : networks_) of->network.end_listing(now);
}

void EvpnManager::hear(const evpn::Entry& entry, Nanos now) {
    for (const auto& of : networks_) of->network.hear(entry, now);
}

void EvpnManager::hear(const evpn::Link& link, Nanos now) {
    std::erase_if(links_, [&](const auto& item) {
        return item.second.interface == link.interface || item.first == link.name;
    });
    if (!link.removed) {
        for (const auto& of : networks_) {
            const bool is_named = link.name == of->config.device || link.name == of->config.local;
            if (is_named) links_.insert_or_assign(link.name, link);
        }
    }
    if (listing_ != Listing::links) fit_mirrors(now);
}

// Empty: the devices are as the network needs them.
std::string EvpnManager::why_unfit(const OneNetwork& of) const {
    if (!socket_->why_not().empty()) return socket_->why_not();
    const auto device = links_.find(of.config.device);
    const auto local = links_.find(of.config.local);
    if (device == links_.end()) return of.config.device + " is not there";
    if (local == links_.end()) return of.config.local + " is not there";
    const evpn::Link& vxlan = device->second;
    if (!vxlan.is_vxlan || vxlan.vni != of.config.vni) {
        return fmt::format("{} is no VXLAN device of VNI {}", of.config.device, of.config.vni);
    }
    if (vxlan.local != of.own) {
        return fmt::format(
            "the local address of {} is {}, and {} below its tunnels", of.config.device,
            vxlan.local ? config::to_text(*vxlan.local) : "not written", config::to_text(of.own));
    }
    if (vxlan.bridge == 0 || vxlan.bridge != local->second.bridge) {
        return fmt::format("{} and {} are not in one bridge", of.config.device, of.config.local);
    }
    return {};
}

void EvpnManager::fit_mirrors(Nanos now) {
    for (const auto& of : networks_) {
        std::string why = why_unfit(*of);
        evpn::Mirror mirror;
        if (why.empty()) {
            const evpn::Link& device = links_.at(of->config.device);
            mirror = {device.interface, links_.at(of->config.local).interface, device.bridge};
        }
        const bool is_other = mirror != of->network.mirror();
        of->network.set_mirror(mirror, now);
        if (is_other && why.empty() && wanted_ == Listing::none) wanted_ = Listing::entries;
        if (why == of->why) continue;
        of->why = std::move(why);
        const bool is_up = of->why.empty();
        tell(!is_up, is_up ? "evpn_up" : "evpn_down",
             is_up ? fmt::format("VNI {} is mirrored by {} and {}", of->config.vni,
                                 of->config.device, of->config.local)
                   : fmt::format("VNI {}: {}", of->config.vni, of->why));
    }
}

// --- the FDB -------------------------------------------------------------------------------------

evpn::Known EvpnManager::known(PortIndex port, EntryKind kind) const {
    using enum evpn::Known::As;
    if ((told_of_ & only(port)) != 0) return {.as = remote, .port = port};
    return {.as = local, .stays = kind == EntryKind::fixed || (sticky_ & only(port)) != 0};
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
                    return dataplane_.order_remote(vlan, address, order);
                },
            .tell_kernel = [this](const evpn::Octets& octets) { socket_->send(octets); }};
}

void EvpnManager::look_at_fdb(Nanos now) {
    const Fdb& fdb = dataplane_.fdb();
    fdb.for_each_in(bucket_, buckets_a_turn, [&](const FdbEntry& entry) {
        if (entry.family != Family::ethernet || (told_of_ & only(entry.port)) != 0) return;
        const auto found = by_vlan_.find(entry.vlan);
        if (found == by_vlan_.end()) return;
        found->second->network.see_local(entry.address, known(entry.port, entry.kind), now,
                                         effects_of(*found->second));
    });
    bucket_ = bucket_ + buckets_a_turn < fdb.bucket_count() ? bucket_ + buckets_a_turn : 0;
}

// --- what is watched -----------------------------------------------------------------------------

std::optional<EvpnManager::Identity> EvpnManager::daemon() const {
    struct stat about {};
    if (::stat(daemon_socket_.c_str(), &about) != 0) return {};
    return Identity(about.st_ino, about.st_ctim.tv_sec * 1'000'000'000 + about.st_ctim.tv_nsec);
}

void EvpnManager::watch_daemon(Nanos now) {
    if (now - looked_at_daemon_ < watch_period) return;
    looked_at_daemon_ = now;
    tell_of_vteps();
    const auto is = daemon();
    if (!is || is == daemon_) return;
    daemon_ = is;
    for (const auto& of : networks_) of->network.daemon_began(now);
    tell(false, "evpn_daemon_began",
         daemon_socket_ + " is new: what the routing daemon does not tell again will be swept");
}

void EvpnManager::tell_of_vteps() {
    for (const auto& of : networks_) {
        std::erase_if(of->told,
                      [&](Ipv4Address vtep) { return !of->network.vteps().contains(vtep); });
        for (const auto& [vtep, about] : of->network.vteps()) {
            if (of->network.tunnel_to(vtep) || !of->told.insert(vtep).second) continue;
            tell(true, "evpn_no_tunnel",
                 fmt::format("VNI {}: no port is a tunnel to the VTEP {}, nothing reaches it",
                             of->config.vni, config::to_text(vtep)));
        }
    }
}

}  // namespace sluice::control
