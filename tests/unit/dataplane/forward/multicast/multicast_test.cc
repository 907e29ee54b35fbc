#include "dataplane/forward/multicast/multicast.h"

#include <gtest/gtest.h>

#include <memory>
#include <sstream>
#include <string>

#include "tests/support/membership_octets.h"

namespace sluice {
namespace {

using namespace literals;
using test::framed;
using test::igmp;
using test::Octets;
using test::station;

constexpr uint32_t group_a = 0xE1010203;
constexpr GroupProtocols igmp_alone = only_protocol(GroupProtocol::igmp);
constexpr GroupProtocols both = igmp_alone | only_protocol(GroupProtocol::mld);

// Four ports that a flood would reach. Asked with octets and where they come in; answered with the
// outputs as digits, or the name of the drop.
class Groups {
  public:
    static Settings listening(GroupProtocols protocols = both) {
        Settings settings;
        settings.ports.resize(4);
        settings.multicast.snooping.fill(protocols);
        return settings;
    }
    explicit Groups(const Settings& with = listening())
        : settings(with), multicast(std::make_unique<Multicast>(with)) {
        adopt();
        multicast->housekeep(0b1111, now);
    }
    void adopt() {
        vlans.configure(settings);
        aggregations = Aggregations(settings.aggregations);
        for (WorkerIndex worker = 0; worker < settings.workers; ++worker) {
            multicast->shard(worker).adopt(settings, {vlans, aggregations});
        }
    }
    std::string send(PortIndex input, const Octets& network, MacAddress to, VlanId vlan = 1,
                     WorkerIndex worker = 0) {
        Octets octets = framed(network, to, station(input));
        Frame frame{};
        frame.data = octets.data();
        frame.length = static_cast<uint16_t>(octets.size());
        frame.set_input(input);
        frame.vlan = vlan;
        frame.network_offset = 14;
        PortSet outputs = 0b1111 & ~only(input);
        const Drop why =
            multicast->shard(worker).filter(frame, Fdb::key_of(vlan, to), now, outputs);
        if (why != Drop::none) return std::string(name_of(why));
        std::string digits;
        for (PortIndex port = 0; port < max_ports; ++port) {
            if ((outputs & only(port)) != 0) digits += static_cast<char>('0' + port);
        }
        return digits;
    }
    // Data for a group of IPv4, from port 0.
    std::string data(uint32_t group, VlanId vlan = 1) {
        return send(0, test::ipv4(Octets(20), {.protocol = 17}), test::mac_of(group), vlan);
    }
    std::string join(PortIndex input, uint32_t group, WorkerIndex worker = 0) {
        return send(input, igmp(test::igmp_report_2, group), test::mac_of(group), 1, worker);
    }
    std::string query(PortIndex input) {
        return send(input, igmp(test::igmp_query, 0), test::mac_of(0xE0000001));
    }

    Settings settings;
    VlanTable vlans;
    Aggregations aggregations;
    std::unique_ptr<Multicast> multicast;
    Nanos now = 1000_s;
};

TEST(Multicast, IsNotInUseUnlessSomethingIsSet) {
    EXPECT_FALSE(Groups(Groups::listening(0)).multicast->shard(0).in_use());
    EXPECT_TRUE(Groups().multicast->shard(0).in_use());
    Settings settings = Groups::listening(0);
    settings.multicast.groups = {{.vlan = 1, .address = {0x01005E000101}, .ports = 1}};
    EXPECT_TRUE(Groups(settings).multicast->shard(0).in_use());
}

TEST(Multicast, MembersAloneGetAGroup) {
    Groups groups;
    EXPECT_EQ(groups.data(group_a), "123");
    groups.join(2, group_a);
    EXPECT_EQ(groups.data(group_a), "2");
    EXPECT_EQ(groups.data(group_a, 7), "123");
    groups.join(3, group_a);
    EXPECT_EQ(groups.data(group_a), "23");
}

TEST(Multicast, TheSenderIsNoListener) {
    Groups groups;
    groups.join(0, group_a);
    EXPECT_EQ(groups.data(group_a), "no_listener");
}

TEST(Multicast, RoutersGetEveryGroup) {
    Groups groups;
    groups.join(2, group_a);
    EXPECT_EQ(groups.query(3), "012");
    EXPECT_EQ(groups.data(group_a), "23");
    groups.settings.multicast.router_ports = 0b0010;
    groups.adopt();
    EXPECT_EQ(groups.data(group_a), "123");
}

TEST(Multicast, ReportsGoToRoutersAlone) {
    Groups groups;
    EXPECT_EQ(groups.join(2, group_a), "no_listener");
    groups.query(3);
    EXPECT_EQ(groups.join(2, group_a), "3");
    EXPECT_EQ(groups.send(2, igmp(test::igmp_leave, group_a), test::mac_of(0xE0000002)), "3");
}

TEST(Multicast, AQueryOfNobodyFindsNoRouter) {
    Groups groups;
    const Octets query = igmp(test::igmp_query, 0, {.from = 0});
    EXPECT_EQ(groups.send(3, query, test::mac_of(0xE0000001)), "012");
    EXPECT_EQ(groups.join(2, group_a), "no_listener");
}

TEST(Multicast, UnregisteredGroupsGoWhereItIsSaid) {
    Groups groups;
    groups.query(3);
    EXPECT_EQ(groups.data(group_a), "123");
    groups.settings.multicast.unregistered = Unregistered::router_ports;
    groups.adopt();
    EXPECT_EQ(groups.data(group_a), "3");
    EXPECT_EQ(groups.data(0xE00000FB), "123");  // 224.0.0.x
    const Octets other = test::ipv4(Octets(20), {.protocol = 17});
    EXPECT_EQ(groups.send(0, other, {0x333300000001}), "123");
    EXPECT_EQ(groups.send(0, other, {0x3333FF010203}), "123");
    EXPECT_EQ(groups.send(0, other, {0x333300000007}), "3");
    EXPECT_EQ(groups.send(0, other, {0x030000000001}), "123");  // a group that is not IP's
    EXPECT_EQ(groups.send(0, other, broadcast_address), "123");
}

TEST(Multicast, WithoutARouterUnregisteredGroupsMayGoNowhere) {
    Settings settings = Groups::listening();
    settings.multicast.unregistered = Unregistered::router_ports;
    EXPECT_EQ(Groups(settings).data(group_a), "no_listener");
}

TEST(Multicast, GroupsThatShareAnAddressShareTheirListeners) {
    Groups groups;
    groups.join(2, 0xE1010203);
    EXPECT_EQ(groups.data(0xEF810203), "2");  // 239.129.2.3: the same 23 bits
}

TEST(Multicast, WhatIsDamagedIsNotBelieved) {
    Groups groups;
    Octets report = igmp(test::igmp_report_2, group_a);
    report.back() ^= 1;
    EXPECT_EQ(groups.send(2, report, test::mac_of(group_a)), "membership_damaged");
    EXPECT_EQ(groups.data(group_a), "123");
}

TEST(Multicast, WhatItDoesNotKnowGoesToAll) {
    Groups groups;
    groups.query(3);
    EXPECT_EQ(groups.send(2, igmp(0x13, 0), test::mac_of(0xE0000004)), "013");
}

TEST(Multicast, SnoopsMldWhereItIsTo) {
    Groups groups;
    const Octets report = test::mld_2({{4, test::group_6(7)}});
    const MacAddress group = test::mac_of(test::group_6(7));
    const Octets data = test::ipv4(Octets(20), {.protocol = 17});
    groups.send(1, report, test::mld_routers);
    EXPECT_EQ(groups.send(0, data, group), "1");
    Groups igmp_only(Groups::listening(igmp_alone));
    EXPECT_EQ(igmp_only.send(1, report, test::mld_routers), "023");
    EXPECT_EQ(igmp_only.send(0, data, group), "123");
}

TEST(Multicast, StaticGroupsNeedNobodyToListen) {
    Settings settings = Groups::listening(0);
    settings.multicast.groups = {{.vlan = 1, .address = test::mac_of(group_a), .ports = 0b0110}};
    settings.multicast.router_ports = 0b1000;
    Groups groups(settings);
    EXPECT_EQ(groups.data(group_a), "123");
    settings.multicast.router_ports = 0;
    EXPECT_EQ(Groups(settings).data(group_a), "12");
    EXPECT_EQ(Groups(settings).data(group_a + 1), "123");
    EXPECT_EQ(groups.join(3, group_a), "12");  // is a frame like any other
}

TEST(Multicast, ALinkThatIsLostLeaves) {
    Groups groups;
    groups.join(2, group_a);
    groups.join(3, group_a);
    groups.multicast->housekeep(0b1011, groups.now);
    groups.multicast->housekeep(0b1111, groups.now);
    EXPECT_EQ(groups.data(group_a), "3");
}

// --- what control hears where it queries ---------------------------------------------------------

// Returns the news as words: `q 3 a000001` is a query at port 3, `l` a leave of the group.
std::string news_of(Groups& groups) {
    std::ostringstream text;
    text << std::hex;
    groups.multicast->take_news([&](const MembershipNews& news) {
        const bool is_query = news.kind == MembershipNews::Kind::query;
        text << (is_query ? 'q' : 'l') << ' ' << unsigned{news.port} << ' ' << news.address.low
             << (news.protocol == GroupProtocol::mld ? " mld; " : "; ");
    });
    return text.str();
}

TEST(Multicast, ControlHearsOfQueriesAndLeavesWhereItQueries) {
    Settings settings = Groups::listening();
    settings.multicast.queried.set(1);
    Groups groups(settings);
    const auto say = [&](const Octets& network, VlanId vlan = 1) {
        groups.send(3, network, test::mac_of(0xE0000001), vlan);
    };
    say(igmp(test::igmp_query, 0, {.from = 0x0A000001}));
    say(igmp(test::igmp_query, 0, {.from = 0}));
    say(igmp(test::igmp_query, 0), 2);
    say(test::pim_4());
    groups.join(2, group_a);
    EXPECT_EQ(news_of(groups), "q 3 a000001; ") << "not of nobody, elsewhere, or of no query";
    say(igmp(test::igmp_leave, group_a));
    say(test::igmp_3({{3, group_a, {}}, {3, group_a + 1, {7}}, {6, group_a + 2, {7}}}));
    say(test::igmp_3({{4, group_a, {}}, {5, group_a, {7}}, {1, group_a, {7}}}));
    say(test::mld(test::mld_done, test::group_6(7)));
    EXPECT_EQ(news_of(groups),
              "l 3 e1010203; l 3 e1010203; l 3 e1010204; l 3 e1010205; l 3 7 mld; ");
    EXPECT_EQ(news_of(groups), "");
}

TEST(Multicast, WhatControlDoesNotTakeInTimeIsCounted) {
    Settings settings = Groups::listening();
    settings.multicast.queried.set(1);
    Groups groups(settings);
    for (int leave = 0; leave < 64 + 5; ++leave) {
        groups.send(3, igmp(test::igmp_leave, group_a), test::mac_of(0xE0000002));
    }
    EXPECT_EQ(groups.multicast->lost_reports(), 5U);
}

// --- several workers -----------------------------------------------------------------------------

TEST(Multicast, WhatAnotherWorkerSnoopsIsKeptByTheFirst) {
    Settings settings = Groups::listening();
    settings.workers = 2;
    Groups groups(settings);
    groups.join(2, group_a, 1);
    groups.send(3, igmp(test::igmp_query, 0), test::mac_of(0xE0000001), 1, 1);
    EXPECT_EQ(groups.data(group_a), "123");
    groups.multicast->housekeep(0b1111, groups.now);
    EXPECT_EQ(groups.data(group_a), "23");
}

TEST(Multicast, WhatAQueueHasNoPlaceForIsCounted) {
    Settings settings = Groups::listening();
    settings.workers = 2;
    Groups groups(settings);
    for (int report = 0; report < 1024 + 7; ++report) groups.join(2, group_a, 1);
    EXPECT_EQ(groups.multicast->lost_reports(), 7U);
    groups.multicast->housekeep(0b1111, groups.now);
    EXPECT_EQ(groups.data(group_a), "2");
}

TEST(Multicast, WhatWasSnoopedBeforeTheLinkWentIsNotKept) {
    Settings settings = Groups::listening();
    settings.workers = 2;
    Groups groups(settings);
    groups.join(2, group_a, 1);
    groups.multicast->housekeep(0b1011, groups.now);
    EXPECT_EQ(groups.data(group_a), "123");
}

}  // namespace
}  // namespace sluice
