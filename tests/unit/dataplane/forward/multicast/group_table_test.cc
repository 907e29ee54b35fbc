#include "dataplane/forward/multicast/group_table.h"

#include <gtest/gtest.h>

#include <atomic>
#include <map>
#include <random>
#include <thread>

namespace sluice {
namespace {

using Key = GroupTable::Key;

constexpr Key key_of(VlanId vlan, uint64_t group) {
    return Fdb::key_of(vlan, {0x01005E000000 | group});
}

TEST(GroupTable, KnowsNobodyAtFirst) {
    const GroupTable table(4, 1);
    EXPECT_EQ(table.find(key_of(1, 1)), std::nullopt);
    EXPECT_EQ(table.number_of(key_of(1, 1)), GroupTable::none);
    EXPECT_EQ(table.size(), 0U);
}

TEST(GroupTable, FindsWhatWasAdded) {
    GroupTable table(4, 1);
    const auto number = table.add(key_of(10, 1), 0b0110, 0b0100);
    table.add(key_of(20, 1), 0b1000, 0);
    EXPECT_EQ(table.find(key_of(10, 1)), PortSet{0b0110});
    EXPECT_EQ(table.find(key_of(20, 1)), PortSet{0b1000});
    EXPECT_EQ(table.find(key_of(30, 1)), std::nullopt);
    EXPECT_EQ(table.number_of(key_of(10, 1)), number);
    table.set_ports(number, 0b0001, 0);
    EXPECT_EQ(table.find(key_of(10, 1)), PortSet{0b0001});
}

TEST(GroupTable, FamiliesDoNotSeeEachOther) {
    GroupTable table(4, 1);
    const MacAddress id{uint64_t{1} << 40 | 7};
    table.add(Fdb::key_of(FormatFamily::afh_16, 1, id), 0b01, 0b01);
    table.add(Fdb::key_of(FormatFamily::afh_lite, 1, id), 0b10, 0b10);
    EXPECT_EQ(table.find(Fdb::key_of(FormatFamily::afh_16, 1, id)), PortSet{0b01});
    EXPECT_EQ(table.find(Fdb::key_of(FormatFamily::afh_lite, 1, id)), PortSet{0b10});
    EXPECT_EQ(table.find(Fdb::key_of(1, id)), std::nullopt);
}

TEST(GroupTable, HoldsAllItSaysAndNoMore) {
    for (const uint64_t seed : {0ULL, 1ULL, 0xDEADBEEFULL}) {
        GroupTable table(1000, seed);
        for (uint64_t group = 0; group < 1000; ++group) {
            ASSERT_NE(table.add(key_of(1, group), group + 1, 0), GroupTable::none) << group;
        }
        EXPECT_EQ(table.add(key_of(1, 1000), 1, 0), GroupTable::none);
        for (uint64_t group = 0; group < 1000; ++group) {
            ASSERT_EQ(table.find(key_of(1, group)), group + 1);
        }
        EXPECT_EQ(table.size(), 1000U);
        table.remove(table.number_of(key_of(1, 500)));
        EXPECT_NE(table.add(key_of(1, 1000), 7, 0), GroupTable::none);
        EXPECT_EQ(table.find(key_of(1, 500)), std::nullopt);
        EXPECT_EQ(table.find(key_of(1, 1000)), PortSet{7});
    }
}

TEST(GroupTable, MayHoldOne) {
    GroupTable table(1, 0);
    const auto number = table.add(key_of(1, 1), 1, 0);
    EXPECT_EQ(table.add(key_of(1, 2), 1, 0), GroupTable::none);
    table.remove(number);
    EXPECT_EQ(table.add(key_of(1, 2), 1, 0), number);
}

TEST(GroupTable, HoldsWhatAMapWould) {
    std::minstd_rand draw(1);
    GroupTable table(32, 7);
    std::map<uint64_t, PortSet> model;
    for (int step = 0; step < 20'000; ++step) {
        const uint64_t group = draw() % 64;
        const PortSet ports = draw();
        const auto number = table.number_of(key_of(1, group));
        ASSERT_EQ(number != GroupTable::none, model.count(group) != 0);
        if (number != GroupTable::none) {
            table.remove(number);
            model.erase(group);
        } else if (table.add(key_of(1, group), ports, 0) == GroupTable::none) {
            ASSERT_EQ(model.size(), 32U);
        } else {
            model[group] = ports;
        }
        for (const auto& [known, of_it] : model) ASSERT_EQ(table.find(key_of(1, known)), of_it);
        ASSERT_EQ(table.size(), model.size());
    }
}

TEST(GroupTable, TellsWhatItHolds) {
    GroupTable table(4, 1);
    table.set_last_report(table.add(key_of(10, 1), 0b0110, 0b0100), Nanos(42));
    int count = 0;
    table.for_each([&](const GroupEntry& entry) {
        ++count;
        EXPECT_EQ(entry.family, FormatFamily::ethernet);
        EXPECT_EQ(entry.vlan, 10);
        EXPECT_EQ(entry.address, MacAddress{0x01005E000001});
        EXPECT_EQ(entry.ports, 0b0110U);
        EXPECT_EQ(entry.fixed, 0b0100U);
        EXPECT_EQ(entry.last_report, Nanos(42));
    });
    EXPECT_EQ(count, 1);
}

// The ports of a group are twice its number: a reader sees these ports, or no entry.
TEST(GroupTable, ReadersSeeWholeEntriesOrNone) {
    GroupTable table(8, 1);
    std::atomic<bool> done{false};
    std::atomic<uint64_t> wrong{0};
    std::thread reader([&] {
        while (!done.load()) {
            for (uint64_t group = 1; group <= 16; ++group) {
                const auto ports = table.find(key_of(1, group));
                if (ports && *ports != group * 2) ++wrong;
            }
            table.for_each([&](const GroupEntry& entry) {
                if (entry.ports != (entry.address.bits & 0xFF) * 2) ++wrong;
            });
        }
    });
    std::minstd_rand draw(1);
    for (int step = 0; step < 200'000; ++step) {
        const uint64_t group = draw() % 16 + 1;
        const auto number = table.number_of(key_of(1, group));
        if (number != GroupTable::none) {
            table.remove(number);
        } else {
            table.add(key_of(1, group), group * 2, 0);
        }
    }
    done = true;
    reader.join();
    EXPECT_EQ(wrong.load(), 0U);
}

}  // namespace
}  // namespace sluice
