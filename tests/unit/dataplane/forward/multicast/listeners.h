// Listeners: memberships of four ports, with all VLANs snooped. Asked for the ports of a group as
// digits, `none` if it is not known.
#pragma once

#include <memory>
#include <string>

#include "dataplane/forward/multicast/memberships.h"

namespace sluice::test {

using namespace literals;

inline constexpr MacAddress group_a{0x01005E010203}, group_b{0x01005E040506};
inline constexpr MacAddress group_of_6{0x333300000007};

class Listeners {
  public:
    static Settings ordinary() {
        Settings settings;
        settings.ports.resize(4);
        settings.multicast.snooping.fill(only_protocol(GroupProtocol::igmp) |
                                         only_protocol(GroupProtocol::mld));
        return settings;
    }
    explicit Listeners(const Settings& with = ordinary())
        : settings(with), memberships(std::make_unique<Memberships>(with)) {
        configure();
    }
    void configure() {
        vlans.configure(settings);
        aggregations = Aggregations(settings.aggregations);
        memberships->configure(settings, {vlans, aggregations});
    }
    void join(PortIndex port, MacAddress group, VlanId vlan = 1, bool lasting = false) {
        memberships->join(Fdb::key_of(vlan, group), port, lasting, now);
    }
    void leave(PortIndex port, MacAddress group, VlanId vlan = 1) {
        memberships->leave(Fdb::key_of(vlan, group), port, now);
    }
    void want(PortIndex port, uint64_t source, MacAddress group = group_a) {
        memberships->want(Fdb::key_of(1, group), {0, source}, port, now);
    }
    void narrow(PortIndex port) { memberships->narrow(Fdb::key_of(1, group_a), port, now); }
    void block(PortIndex port, uint64_t source) {
        memberships->block(Fdb::key_of(1, group_a), {0, source}, port, now);
    }
    // A round of ageing and a little more, so that all were looked at.
    void wait(Nanos time) {
        now += time;
        const std::size_t calls = (settings.multicast.capacity + max_vlans) / 16 + 1;
        for (std::size_t call = 0; call < 2 * calls; ++call) memberships->age(now);
    }
    // Returns the number of further calls in the ageing round that the first call begins.
    std::size_t calls_of_a_round() {
        std::size_t calls = 0;
        memberships->age(now);
        for (; memberships->is_ageing(); ++calls) memberships->age(now);
        return calls;
    }
    static std::string digits(PortSet ports) {
        std::string text;
        for (PortIndex port = 0; port < max_ports; ++port) {
            if ((ports & only(port)) != 0) text += static_cast<char>('0' + port);
        }
        return text;
    }
    [[nodiscard]] std::string ports(MacAddress group, VlanId vlan = 1) const {
        const auto found = memberships->groups().find(Fdb::key_of(vlan, group));
        return found ? digits(*found) : "none";
    }
    [[nodiscard]] std::string routers(VlanId vlan = 1) const {
        return digits(memberships->routers(vlan));
    }

    Settings settings;
    VlanTable vlans;
    Aggregations aggregations;
    std::unique_ptr<Memberships> memberships;
    Nanos now = 1000_s;
};

}  // namespace sluice::test
