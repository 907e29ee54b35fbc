#include <gtest/gtest.h>

#include "tools/snmp/mibs.h"

namespace sluice::snmp {
namespace {

const Oid remote = {1, 0, 8802, 1, 1, 2, 1, 4, 1, 1};

Json neighbour(const char* chassis, const char* subtype) {
    return {{"chassis_id", chassis},
            {"chassis_id_subtype", subtype},
            {"port_id", "eth0"},
            {"port_id_subtype", "interface_name"},
            {"system_name", nullptr},
            {"capabilities", {"bridge", "router"}},
            {"management_addresses", {"192.0.2.1", "not an address"}}};
}

Objects shown(const Json& neighbours, RemoteIndices& indices) {
    Objects objects;
    const Json lldp = {{{"port", "p1"},
                        {"chassis_id", "02:00:00:00:00:01"},
                        {"chassis_id_subtype", "mac_address"},
                        {"port_id", "p1"},
                        {"port_id_subtype", "interface_name"},
                        {"neighbours", neighbours}}};
    put_lldp_mib(objects, {{.name = "p1", .number = 2}}, lldp, indices);
    return objects;
}

TEST(LldpMib, IdsAreOctetsBySubtype) {
    RemoteIndices indices;
    const Json all = {neighbour("02:00:00:00:00:ff", "mac_address"),
                      neighbour("2001:db8::1", "network_address"),
                      neighbour(R"(leaf\x00)", "local"), neighbour("odd", "reserved")};
    const Objects objects = shown(all, indices);
    const auto subtype = [&](uint32_t row) {
        return *objects.find(joined(remote, {4, 0, 2, row}));
    };
    const auto id = [&](uint32_t row) {
        return objects.find(joined(remote, {5, 0, 2, row}))->octets;
    };
    EXPECT_EQ(subtype(1), integer(4));
    EXPECT_EQ(id(1), mac_octets(0x0200000000FF));
    EXPECT_EQ(subtype(2), integer(5));
    EXPECT_EQ(id(2).size(), 17U);
    EXPECT_EQ(id(2)[0], '\x02') << "the family of IPv6";
    EXPECT_EQ(subtype(3), integer(7));
    EXPECT_EQ(id(3), std::string("leaf\0", 5));
    EXPECT_EQ(subtype(4), integer(7));
    EXPECT_EQ(*objects.find(joined(remote, {11, 0, 2, 1})), octets(std::string("\x28\0", 2)));
    EXPECT_NE(objects.find({1, 0, 8802, 1, 1, 2, 1, 4, 2, 1, 3, 0, 2, 1, 1, 4, 192, 0, 2, 1}),
              nullptr);
}

TEST(LldpMib, ANeighboursIndexStaysAndIsNotUsedAgain) {
    RemoteIndices indices;
    const Json one = neighbour("one", "local"), two = neighbour("two", "local");
    const auto chassis = [](const Objects& objects) {
        std::map<uint32_t, std::string> found;
        for (const auto& [name, value] : objects.all()) {
            const Oid column = joined(remote, {5});
            if (std::equal(column.begin(), column.end(), name.begin())) {
                found.emplace(name.back(), value.octets);
            }
        }
        return found;
    };
    using Found = std::map<uint32_t, std::string>;
    EXPECT_EQ(chassis(shown({one, two}, indices)), (Found{{1, "one"}, {2, "two"}}));
    EXPECT_EQ(chassis(shown(Json::array({two}), indices)), (Found{{2, "two"}}));
    EXPECT_EQ(chassis(shown({one, two}, indices)), (Found{{3, "one"}, {2, "two"}}));
}

}  // namespace
}  // namespace sluice::snmp
