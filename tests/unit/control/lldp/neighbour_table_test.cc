#include "control/lldp/neighbour_table.h"

#include <gtest/gtest.h>

#include "tests/unit/control/lldp/frames.h"

namespace sluice::lldp {
namespace {

using namespace literals;

constexpr Nanos now = 1000_s;

std::optional<NeighbourEvent> event_of(const std::optional<NeighbourChange>& change) {
    return change ? std::optional(change->what) : std::nullopt;
}

// Each address is a table of its own (802.1AB 9.2.7.7).
TEST(NeighbourTable, keeps_neighbours_apart_by_the_address_they_speak_to) {
    NeighbourTable table;
    const auto customer = Destination::nearest_customer_bridge;
    for (const char* name : {"a", "b", "c", "d"}) table.receive(peer, lldpdu_of(name), now);
    EXPECT_FALSE(table.has_room_for(lldpdu_of("e")));
    ASSERT_TRUE(table.has_room_for(lldpdu_of("a"), customer));
    EXPECT_EQ(event_of(table.receive(peer, lldpdu_of("a"), now, customer)), NeighbourEvent::added);
    EXPECT_EQ(table.neighbours().size(), 5U);
    EXPECT_EQ(table.neighbours().back().to, customer);
    EXPECT_EQ(event_of(table.receive(peer, lldpdu_of("a", "1", 0), now, customer)),
              NeighbourEvent::removed);
    EXPECT_EQ(table.neighbours().size(), 4U);
}

TEST(NeighbourTable, believes_a_neighbour_for_its_ttl) {
    NeighbourTable table;
    EXPECT_EQ(table.deadline(), never);
    EXPECT_EQ(event_of(table.receive(peer, lldpdu_of("a", "1", 120), now)), NeighbourEvent::added);
    EXPECT_EQ(table.deadline(), now + 120_s);
    EXPECT_TRUE(table.expire(now + 119_s).empty());
    ASSERT_EQ(table.neighbours().size(), 1U);
    EXPECT_EQ(table.expire(now + 120_s).size(), 1U);
    EXPECT_TRUE(table.neighbours().empty());
}

TEST(Neighbour, goes_by_its_source_and_by_ids_that_are_addresses) {
    const auto id = [](uint8_t kind, std::initializer_list<uint8_t> octets) {
        Octets with_kind{kind};
        with_kind.insert(with_kind.end(), octets);
        return with_kind;
    };
    Neighbour neighbour{.source = {0x02AA}, .lldpdu = lldpdu_of("a")};
    const auto are = [&](std::vector<MacAddress> stations) {
        EXPECT_EQ(addresses_of(neighbour), stations);
    };
    are({{0x02AA}});
    neighbour.lldpdu.chassis_id = id(4, {2, 0, 0, 0, 0, 1});
    neighbour.lldpdu.port_id = id(3, {2, 0, 0, 0, 0, 2});
    are({{0x02AA}, {0x020000000001}, {0x020000000002}});
    neighbour.lldpdu.port_id = neighbour.lldpdu.chassis_id;  // whose first octet says another kind
    are({{0x02AA}, {0x020000000001}});
    neighbour.lldpdu.port_id = id(3, {2, 0, 0, 0, 0, 1});
    are({{0x02AA}, {0x020000000001}});
    neighbour.lldpdu.port_id = id(3, {2, 0, 0, 0, 0});
    neighbour.lldpdu.chassis_id = id(4, {1, 0, 0, 0, 0, 1});  // a group's
    are({{0x02AA}});
    neighbour.lldpdu.chassis_id = id(4, {0, 0, 0, 0, 0, 0});
    are({{0x02AA}});
}

TEST(NeighbourTable, reports_what_is_new) {
    NeighbourTable table;
    Lldpdu lldpdu = lldpdu_of("a");
    table.receive(peer, lldpdu, now);
    EXPECT_EQ(event_of(table.receive(peer, lldpdu, now + 30_s)), std::nullopt);
    EXPECT_EQ(table.deadline(), now + 150_s);
    lldpdu.ttl = 200;
    EXPECT_EQ(event_of(table.receive(peer, lldpdu, now + 40_s)), std::nullopt);
    lldpdu.system_name = "other";
    EXPECT_EQ(event_of(table.receive(peer, lldpdu, now + 50_s)), NeighbourEvent::changed);
    EXPECT_EQ(event_of(table.receive({peer.bits + 1}, lldpdu, now + 60_s)),
              NeighbourEvent::changed);
    EXPECT_EQ(table.neighbours()[0].since, now);
}

TEST(NeighbourTable, knows_neighbours_by_chassis_and_port) {
    NeighbourTable table;
    EXPECT_EQ(event_of(table.receive(peer, lldpdu_of("a", "1"), now)), NeighbourEvent::added);
    EXPECT_EQ(event_of(table.receive(peer, lldpdu_of("a", "2"), now)), NeighbourEvent::added);
    EXPECT_EQ(event_of(table.receive(peer, lldpdu_of("b", "1"), now)), NeighbourEvent::added);
    EXPECT_EQ(table.neighbours().size(), 3U);
}

TEST(NeighbourTable, forgets_who_shuts_down) {
    NeighbourTable table;
    table.receive(peer, lldpdu_of("a"), now);
    EXPECT_EQ(event_of(table.receive(peer, lldpdu_of("b", "1", 0), now)), std::nullopt);
    EXPECT_EQ(event_of(table.receive(peer, lldpdu_of("a", "1", 0), now)), NeighbourEvent::removed);
    EXPECT_TRUE(table.neighbours().empty());
}

TEST(NeighbourTable, keeps_those_it_has_when_there_are_too_many) {
    NeighbourTable table;
    for (const char* name : {"a", "b", "c", "d"}) {
        ASSERT_TRUE(table.has_room_for(lldpdu_of(name)));
        table.receive(peer, lldpdu_of(name), now);
    }
    EXPECT_FALSE(table.has_room_for(lldpdu_of("e")));
    EXPECT_TRUE(table.has_room_for(lldpdu_of("d")));
    EXPECT_TRUE(table.has_room_for(lldpdu_of("e", "1", 0)));
    EXPECT_FALSE(table.too_many(now));
    table.refuse(lldpdu_of("e", "1", 60), now);
    table.refuse(lldpdu_of("f", "1", 10), now);
    EXPECT_TRUE(table.too_many(now + 59_s));
    EXPECT_FALSE(table.too_many(now + 60_s));
    EXPECT_EQ(table.clear().size(), most_neighbours);
}

}  // namespace
}  // namespace sluice::lldp
