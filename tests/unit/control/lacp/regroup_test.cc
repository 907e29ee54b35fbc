// Aggregations by their ports, as rows of bits, and what becomes of them under a next list.
#include "control/lacp/regroup.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <initializer_list>
#include <utility>
#include <vector>

namespace sluice::lacp {
namespace {

using namespace sluice::literals;

constexpr MacAddress partner{0x0200'0000'00B0};

// Aggregations whose members have each received as many LACPDUs as their number says.
class Groups {
  public:
    void become(std::initializer_list<PortSet> next) {
        std::vector<Wanted> wanted;
        for (const PortSet ports : next) wanted.push_back({.ports = ports});
        now = regroup(std::move(now.aggregators), wanted, addresses_);
        for_each_port(now.begun, [&](PortIndex port) { receive(port); });
    }
    [[nodiscard]] std::vector<uint16_t> keys() const {
        std::vector<uint16_t> keys;
        for (const Aggregator& one : now.aggregators) keys.push_back(one.settings().key);
        return keys;
    }
    [[nodiscard]] PortSet gone() const {
        PortSet ports = 0;
        for (const Aggregator::Member& member : now.gone) ports |= only(member.number);
        return ports;
    }
    [[nodiscard]] uint64_t received(PortIndex port) const {
        for (const Aggregator& one : now.aggregators) {
            for (const Aggregator::Member& member : one.members()) {
                if (member.number == port) return member.port.statistics().lacpdus_in;
            }
        }
        return 0;
    }

    Regrouped now;

  private:
    void receive(PortIndex port) {
        for (Aggregator& one : now.aggregators) {
            if ((one.ports() & only(port)) == 0) continue;
            one.set_link(port, true, 10_Gbps, 1000_s);
            for (PortIndex frame = 0; frame < port; ++frame) {
                one.receive(port, frame_of(Lacpdu{.actor = {.system = partner}}, partner), 1000_s);
            }
        }
    }

    std::array<MacAddress, max_ports> addresses_{};
};

TEST(Regroup, MembersThatStayGoOn) {
    Groups groups;
    groups.become({0b0110});
    EXPECT_EQ(groups.now.begun, 0b0110U);
    groups.become({0b1110});
    EXPECT_EQ(groups.now.begun, 0b1000U);
    EXPECT_EQ(groups.gone(), 0U);
    EXPECT_EQ(groups.now.aggregators[0].ports(), 0b1110U);
    EXPECT_EQ(groups.received(1), 1U);
    EXPECT_EQ(groups.received(2), 2U);
    groups.become({0b1100});
    EXPECT_EQ(groups.now.begun, 0U);
    EXPECT_EQ(groups.gone(), 0b0010U);
    EXPECT_EQ(groups.received(2), 2U);
}

TEST(Regroup, RowsAreInTheOrderOfPorts) {
    Groups groups;
    groups.become({0b1010});
    groups.become({0b1111});
    std::vector<PortIndex> numbers;
    for (const auto& member : groups.now.aggregators[0].members()) numbers.push_back(member.number);
    EXPECT_EQ(numbers, (std::vector<PortIndex>{0, 1, 2, 3}));
}

TEST(Regroup, AKeyStaysAsLongAsTheAggregation) {
    Groups groups;
    groups.become({0b000110, 0b011000});
    EXPECT_EQ(groups.keys(), (std::vector<uint16_t>{2, 4}));
    groups.become({0b011000, 0b000110});
    EXPECT_EQ(groups.keys(), (std::vector<uint16_t>{4, 2})) << "elsewhere in the list";
    groups.become({0b000001, 0b011000, 0b100110});
    EXPECT_EQ(groups.keys(), (std::vector<uint16_t>{1, 4, 2})) << "with others beside it";
    groups.become({0b100110});
    EXPECT_EQ(groups.keys(), (std::vector<uint16_t>{2})) << "without them";
    groups.become({0b100100});
    EXPECT_EQ(groups.keys(), (std::vector<uint16_t>{2})) << "without its lowest port";
    groups.become({0b100100, 0b001010});
    EXPECT_EQ(groups.keys(), (std::vector<uint16_t>{2, 3})) << "which another has now";
}

TEST(Regroup, TheLargerPartGoesOn) {
    Groups groups;
    groups.become({0b01110});
    groups.become({0b10010, 0b01100});
    EXPECT_EQ(groups.keys(), (std::vector<uint16_t>{3, 2}));
    EXPECT_EQ(groups.now.begun, 0b10000U);
    EXPECT_EQ(groups.received(1), 1U) << "it has moved, and nobody has forgotten its partner";
    EXPECT_EQ(groups.now.aggregators[0].members()[0].port.actor().key, 3);
}

TEST(Regroup, TwoThatMergeAreTheLarger) {
    Groups groups;
    groups.become({0b00110, 0b11000});
    groups.become({0b11010});
    EXPECT_EQ(groups.keys(), (std::vector<uint16_t>{4}));
    EXPECT_EQ(groups.gone(), 0b00100U);
    EXPECT_EQ(groups.now.begun, 0U);
}

TEST(Regroup, WhoseMembersAreAllOthersBegins) {
    Groups groups;
    groups.become({0b00110});
    groups.become({0b11000});
    EXPECT_EQ(groups.keys(), (std::vector<uint16_t>{4}));
    EXPECT_EQ(groups.gone(), 0b00110U);
    EXPECT_EQ(groups.now.begun, 0b11000U);
    groups.become({});
    EXPECT_TRUE(groups.now.aggregators.empty());
    EXPECT_EQ(groups.gone(), 0b11000U);
}

}  // namespace
}  // namespace sluice::lacp
