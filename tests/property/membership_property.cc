// Memberships against a model that keeps, in plain maps, until when each port is in each group.
// Whatever is reported, left and waited for: the table says what the model does, and forgets in the
// first round of ageing after the time has come, not before.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "dataplane/forward/multicast/memberships.h"
#include "tests/property/draw.h"

namespace sluice::property {
namespace {

using namespace literals;

constexpr int64_t ports = 4;
constexpr int64_t groups = 6;

MacAddress address_of(int64_t group) {
    const auto number = static_cast<uint64_t>(group);
    return {number % 2 == 0 ? 0x01005E010000 + number : 0x333300010000 + number};
}
Fdb::Key key_of(VlanId vlan, int64_t group) { return Fdb::key_of(vlan, address_of(group)); }

struct Known {
    PortSet fixed = 0;
    std::map<PortIndex, Nanos> until;
    Nanos lasts;

    [[nodiscard]] PortSet joined() const {
        PortSet set = 0;
        for (const auto& [port, time] : until) set |= only(port);
        return set;
    }
};

class Ride {
  public:
    explicit Ride(const Settings& drawn)
        : settings(drawn), memberships(std::make_unique<Memberships>(drawn)) {
        adopt();
    }

    void adopt() {
        vlans.configure(settings);
        memberships->configure(settings, {vlans, aggregations});
        for (auto& [key, known] : model) known.fixed = 0;
        for (const StaticGroup& group : settings.multicast.groups) {
            model[Fdb::key_of(group.vlan, group.address)].fixed = group.ports;
        }
        for (auto& [key, known] : model) {
            const auto vlan = static_cast<VlanId>(static_cast<uint64_t>(key) >> 48);
            const bool mld = Fdb::address_of(key).bits >> 32 == 0x3333;
            const auto protocol = mld ? GroupProtocol::mld : GroupProtocol::igmp;
            const bool heard = (settings.multicast.snooping[vlan] & only_protocol(protocol)) != 0;
            const PortSet members = heard ? vlans.members(vlan) : 0;
            std::erase_if(known.until,
                          [&](const auto& at) { return (members & only(at.first)) == 0; });
        }
        forget_empty();
    }
    void join(VlanId vlan, int64_t group, PortIndex port, bool lasting) {
        memberships->join(key_of(vlan, group), port, lasting, now);
        const auto protocol = group % 2 == 0 ? GroupProtocol::igmp : GroupProtocol::mld;
        if ((settings.multicast.snooping[vlan] & only_protocol(protocol)) == 0) return;
        if (!model.contains(key_of(vlan, group)) && model.size() == settings.multicast.capacity) {
            ++refused;
            return;
        }
        Known& known = model[key_of(vlan, group)];
        known.until[port] = now + settings.multicast.ageing;
        if (lasting) known.lasts = now + settings.multicast.ageing;
    }
    void leave(VlanId vlan, int64_t group, PortIndex port) {
        memberships->leave(key_of(vlan, group), port, now);
        const auto found = model.find(key_of(vlan, group));
        if (found == model.end() || now < found->second.lasts) return;
        auto& until = found->second.until;
        if (!until.contains(port)) return;
        if (settings.multicast.fast_leave) {
            until.erase(port);
        } else {
            until[port] = std::min(until[port], now + settings.multicast.leaving);
        }
        forget_empty();
    }
    void lose(PortIndex port) {
        memberships->forget_ports(only(port));
        for (auto& [key, known] : model) known.until.erase(port);
        forget_empty();
    }
    // No less than a round of ageing.
    void wait(Nanos time) {
        now += time;
        const std::size_t calls = (settings.multicast.capacity + max_vlans) / 16 + 1;
        for (std::size_t call = 0; call < calls; ++call) memberships->age(now);
        for (auto& [key, known] : model) {
            std::erase_if(known.until, [&](const auto& at) { return at.second <= now; });
        }
        forget_empty();
    }
    void check() const {
        for (VlanId vlan = 1; vlan <= 2; ++vlan) {
            for (int64_t group = 0; group < groups; ++group) {
                const auto found = memberships->groups().find(key_of(vlan, group));
                const auto known = model.find(key_of(vlan, group));
                RC_ASSERT(found.has_value() == (known != model.end()));
                if (found) RC_ASSERT(*found == (known->second.joined() | known->second.fixed));
            }
        }
        RC_ASSERT(memberships->groups().size() == model.size());
        RC_ASSERT(memberships->full() == refused);
    }

    Settings settings;
    VlanTable vlans;
    Aggregations aggregations;
    std::unique_ptr<Memberships> memberships;
    std::map<Fdb::Key, Known> model;
    uint64_t refused = 0;
    Nanos now = 1000_s;

  private:
    void forget_empty() {
        std::erase_if(
            model, [](const auto& at) { return at.second.fixed == 0 && at.second.until.empty(); });
    }
};

void draw_multicast(Settings& settings) {
    MulticastSettings& multicast = settings.multicast;
    for (VlanId vlan = 1; vlan <= 2; ++vlan)
        multicast.snooping[vlan] = between<GroupProtocols>(0, 3);
    multicast.fast_leave = between<int>(0, 1) == 1;
    multicast.ageing = one_of({10_s, 260_s});
    multicast.leaving = one_of({1_s, 20_s});
    settings.vlan.filtering = between<int>(0, 2) == 2;
    for (VlanId vlan = 1; vlan <= 2; ++vlan) {
        settings.vlan.members[vlan] = between<PortSet>(0, (1 << ports) - 1);
    }
    multicast.groups.clear();
    // Few enough that a learned group never has to go for one: that has a test of its own.
    if (between<int>(0, 1) == 1) {
        multicast.groups.push_back(
            {.vlan = 1, .address = address_of(0), .ports = between<PortSet>(1, (1 << ports) - 1)});
    }
}

RC_GTEST_PROP(Membership, TheTableSaysWhatTheModelDoes, ()) {
    Settings settings;
    settings.ports.resize(ports);
    draw_multicast(settings);
    settings.multicast.capacity = 20;
    Ride ride(settings);
    const auto steps = between<int>(0, 60);
    for (int step = 0; step < steps; ++step) {
        const auto vlan = between<VlanId>(1, 2);
        const auto group = between<int64_t>(0, groups - 1);
        const auto port = between<PortIndex>(0, ports - 1);
        switch (between<int>(0, 9)) {
            case 0:
                draw_multicast(ride.settings);
                ride.adopt();
                break;
            case 1:
                ride.lose(port);
                break;
            case 2:
            case 3:
                ride.leave(vlan, group, port);
                break;
            case 4:
            case 5:
                ride.wait(one_of({1_s, 10_s - 1_ns, 100_s, 260_s}));
                break;
            default:
                ride.join(vlan, group, port, between<int>(0, 5) == 5);
                break;
        }
        ride.check();
    }
}

RC_GTEST_PROP(Membership, SoItDoesWhereThereAreFewPlaces, ()) {
    Settings settings;
    settings.ports.resize(ports);
    settings.multicast.snooping.fill(3);
    settings.multicast.capacity = 3;
    Ride ride(settings);
    const auto steps = between<int>(0, 60);
    for (int step = 0; step < steps; ++step) {
        const auto group = between<int64_t>(0, groups - 1);
        const auto port = between<PortIndex>(0, ports - 1);
        const int what = between<int>(0, 5);
        if (what == 0) ride.wait(one_of({3_s, 200_s}));
        if (what == 1) ride.leave(1, group, port);
        if (what > 1) ride.join(1, group, port, false);
        ride.check();
    }
}

}  // namespace
}  // namespace sluice::property
