#include "control/show/filter.h"

#include <gtest/gtest.h>

#include "control/show/fdb.h"
#include "control/trace/request.h"
#include "tests/unit/control/driven_switch.h"

namespace sluice::control {
namespace {

ShowFilter of_ports(std::vector<std::string> ports) { return {.ports = std::move(ports)}; }

// Returns the values of a key in the rows that are left.
std::vector<std::string> left(const Json& rows, const char* key) {
    std::vector<std::string> found;
    for (const Json& row : rows) found.push_back(row.at(key).dump());
    return found;
}
using Found = std::vector<std::string>;

TEST(ShowFilter, rows_are_of_a_port_at_either_end_or_in_a_list) {
    DrivenSwitch three(3);
    three.receive(0, 0x020000000001, 0x020000000002);
    EXPECT_EQ(left(filtered("ports", three.show("ports"), of_ports({"p1"})), "name"),
              Found{R"("p1")"});
    const Json queues = filtered("queues", three.show("queues"), of_ports({"p2"}));
    EXPECT_EQ(left(queues, "input"), Found{R"("p0")"}) << "it was flooded to p1 and p2";
    const Json vlans = {
        {"vlans", {{{"vlan", 1}, {"ports", {"p0", "p1"}}}, {{"vlan", 2}, {"ports", {"p2"}}}}}};
    EXPECT_EQ(left(filtered("vlan", vlans, of_ports({"p1"})).at("vlans"), "vlan"), Found{"1"});
    EXPECT_EQ(left(filtered("vlan", vlans, {.vlan = VlanId{2}}).at("vlans"), "vlan"), Found{"2"});
}

TEST(ShowFilter, all_that_is_given_has_to_match) {
    DrivenSwitch two(2);
    ShowFilter filter = of_ports({"p1"});
    filter.priority = Priority{3};
    const Json groups = filtered("buffer", two.show("buffer", true), filter).at("groups");
    ASSERT_EQ(groups.size(), 1U);
    EXPECT_EQ(groups[0].at("port"), "p1");
    EXPECT_EQ(groups[0].at("priority"), 3);
}

TEST(ShowFilter, addresses_are_left_out_before_they_are_rows) {
    DrivenSwitch three(3);
    for (uint64_t n = 1; n <= 3; ++n) {
        three.receive(static_cast<PortIndex>(n - 1), 0x020000000000 + n, 0x0200000000FF);
    }
    EXPECT_EQ(fdb_snapshot(three.view()).size(), 3U);
    EXPECT_EQ(left(fdb_snapshot(three.view(), of_ports({"p1"})), "address"),
              Found{R"("02:00:00:00:00:02")"});
    EXPECT_EQ(left(fdb_snapshot(three.view(), {.address = MacAddress{0x020000000003}}), "port"),
              Found{R"("p2")"});
    EXPECT_TRUE(fdb_snapshot(three.view(), {.vlan = VlanId{9}}).empty());
}

TEST(ShowFilter, pages_of_addresses_are_all_of_them_once_and_in_order) {
    DrivenSwitch two(2, [](Settings& settings) {
        for (uint64_t n = 0; n < 40; ++n) {
            settings.fdb.static_entries.push_back(
                {.vlan = static_cast<VlanId>(1 + n % 3), .address = {0x02AABBCC0000 + n * 7}});
        }
    });
    const Json all = fdb_snapshot(two.view());
    ASSERT_EQ(all.size(), 40U);
    for (const std::size_t limit : {1U, 7U, 40U, 100U}) {
        Json seen = Json::array();
        FdbPage page{.limit = limit};
        for (;;) {
            const Json rows = fdb_snapshot(two.view(), {}, page);
            ASSERT_LE(rows.size(), limit);
            if (rows.empty()) break;
            seen.insert(seen.end(), rows.begin(), rows.end());
            page.vlan = rows.back().at("vlan").get<VlanId>();
            page.address = *parse_address(rows.back().at("address").get<std::string>());
        }
        EXPECT_EQ(seen, all) << limit;
    }
    const FdbPage between{.limit = 1, .vlan = 2, .address = {0x02AABBCC0000 + 1}};
    EXPECT_EQ(fdb_snapshot(two.view(), {}, between)[0].at("address"), "02:aa:bb:cc:00:07");
}

TEST(ShowFilter, a_noun_without_such_rows_refuses_it) {
    EXPECT_EQ(refusal_of(of_ports({"p0"}), "ledger"),
              "port: ledger has no rows by this key; leave it out");
    EXPECT_EQ(refusal_of({.vlan = VlanId{1}}, "ports"),
              "vlan: ports has no rows by this key; it can be filtered by port, address");
    EXPECT_EQ(refusal_of({.priority = Priority{0}}, "fdb"),
              "priority: fdb has no rows by this key; it can be filtered by port, vlan, address");
    EXPECT_EQ(refusal_of({.vlan = VlanId{1}, .address = MacAddress{1}}, "fdb"), "");
    EXPECT_EQ(refusal_of({}, "ledger"), "");
}

}  // namespace
}  // namespace sluice::control
