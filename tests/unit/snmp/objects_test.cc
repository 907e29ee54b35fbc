#include "tools/snmp/objects.h"

#include <gtest/gtest.h>

namespace sluice::snmp {
namespace {

Objects table() {
    Objects objects;
    objects.put({1, 3, 1}, 2, {10}, integer(7));
    objects.put({1, 3, 1}, 1, {10}, octets("ten"));
    objects.put({1, 3, 1}, 1, {9, 300}, octets("nine"));
    objects.put({1, 3}, 5, gauge(1));
    return objects;
}

TEST(Objects, AreWalkedInTheOrderOfTheirNames) {
    const Objects objects = table();
    std::vector<Oid> walked;
    Oid name = {1};
    while (const auto* next = objects.behind(name, false)) {
        name = next->first;
        walked.push_back(name);
    }
    EXPECT_EQ(walked, (std::vector<Oid>{
                          {1, 3, 1, 1, 9, 300}, {1, 3, 1, 1, 10}, {1, 3, 1, 2, 10}, {1, 3, 5, 0}}));
}

TEST(Objects, AreFoundByNameAndFromIt) {
    const Objects objects = table();
    EXPECT_EQ(*objects.find({1, 3, 1, 2, 10}), integer(7));
    EXPECT_EQ(objects.find({1, 3, 1, 2}), nullptr);
    EXPECT_EQ(objects.behind({1, 3, 1, 2, 10}, true)->second, integer(7));
    EXPECT_EQ(objects.behind({1, 3, 1, 2, 10}, false)->second, gauge(1));
    EXPECT_EQ(objects.behind({1, 3, 5, 0}, false), nullptr);
}

TEST(Objects, CountersGoRoundAndOtherNumbersStop) {
    EXPECT_EQ(integer(0xFFFF'FFFF).number, 0x7FFF'FFFFU) << "a root's path cost, by a BPDU";
    EXPECT_EQ(counter(0x1'0000'0007).number, 7U);
    EXPECT_EQ(gauge(0x1'0000'0007).number, 0xFFFF'FFFFU);
    EXPECT_EQ(counter_64(0x1'0000'0007).number, 0x1'0000'0007U);
}

}  // namespace
}  // namespace sluice::snmp
