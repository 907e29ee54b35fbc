#include <gtest/gtest.h>

#include "tools/snmp/mibs.h"

namespace sluice::snmp {
namespace {

Interfaces numbered(std::initializer_list<uint32_t> numbers) {
    Interfaces made;
    for (const uint32_t number : numbers) {
        made.push_back({.name = "p" + std::to_string(number), .number = number});
    }
    return made;
}

TEST(QBridgeMib, APortIsABitTheFirstTheHighest) {
    EXPECT_EQ(port_list(numbered({1, 2, 9}), {"p1", "p9"}), (std::string{'\x80', '\x80'}));
    EXPECT_EQ(port_list(numbered({1, 2, 8}), {"p8", "p2", "other", 7}), "\x41");
    EXPECT_EQ(port_list(numbered({3, 65}), {"p65"}), std::string(8, '\0') + '\x80');
    EXPECT_EQ(port_list({}, {"p1"}), "");
}

TEST(QBridgeMib, VlansHaveNamesAndPortsTheirVlan) {
    Objects objects;
    const Json vlans = {
        {"filtering", true},
        {"vlans",
         {{{"vlan", 10}, {"name", "sales"}, {"ports", {"p1", "p2"}}, {"untagged", {"p1"}}},
          {{"vlan", 4095}, {"name", "none"}}}}};
    put_q_bridge_mib(objects, numbered({1, 2}), vlans);
    const Oid vlan = {1, 3, 6, 1, 2, 1, 17, 7, 1, 4};
    EXPECT_EQ(*objects.find(joined(vlan, {3, 1, 2, 10})), octets("sales"));
    EXPECT_EQ(*objects.find(joined(vlan, {3, 1, 3, 10})), octets("\xC0"));
    EXPECT_EQ(*objects.find(joined(vlan, {2, 1, 5, 0, 10})), octets("\x80"));
    EXPECT_EQ(*objects.find(joined(vlan, {5, 1, 1, 1})), gauge(10));
    EXPECT_EQ(*objects.find(joined(vlan, {5, 1, 3, 1})), truth(true));
    EXPECT_EQ(objects.find(joined(vlan, {5, 1, 1, 2})), nullptr) << "nothing is said of it";
    EXPECT_EQ(objects.find(joined(vlan, {3, 1, 2, 4095})), nullptr);
}

}  // namespace
}  // namespace sluice::snmp
