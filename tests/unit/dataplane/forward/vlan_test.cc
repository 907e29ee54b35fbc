#include "dataplane/forward/vlan.h"

#include <gtest/gtest.h>

namespace sluice {
namespace {

constexpr TagForm none{};
constexpr TagForm customer{.tagged = true, .type = TagType::customer, .names_vlan = true};
constexpr TagForm service{.tagged = true, .type = TagType::service, .names_vlan = true};
constexpr TagForm priority_only{.tagged = true, .type = TagType::customer, .names_vlan = false};

// Port 0 is not aware of tags; VLAN 10 leaves 1 without a tag, 2 and 3 with one, the provider's at
// 3.
VlanTable table() {
    Settings settings;
    settings.ports.resize(4);
    for (PortIndex port = 1; port < 4; ++port) settings.ports[port].tagging.aware = true;
    settings.ports[3].tagging.type = TagType::service;
    settings.vlan.filtering = true;
    settings.vlan.members[10] = 0b1111;
    settings.vlan.untagged[10] = 0b0011;
    VlanTable made;
    made.configure(settings);
    return made;
}

TEST(VlanTable, APortThatIsNotAwareSendsWhatCame) {
    EXPECT_EQ(table().tag_edit(10, none, 0), TagEdit::none);
    EXPECT_EQ(table().tag_edit(10, customer, 0), TagEdit::none);
    EXPECT_EQ(table().tag_edit(10, priority_only, 0), TagEdit::none);
}

TEST(VlanTable, AnUntaggedMemberSendsNoTag) {
    EXPECT_EQ(table().tag_edit(10, none, 1), TagEdit::none);
    EXPECT_EQ(table().tag_edit(10, customer, 1), TagEdit::pop);
    EXPECT_EQ(table().tag_edit(10, service, 1), TagEdit::pop);
    EXPECT_EQ(table().tag_edit(10, priority_only, 1), TagEdit::pop);
}

TEST(VlanTable, ATaggedMemberSendsATagOfItsType) {
    EXPECT_EQ(table().tag_edit(10, none, 2), TagEdit::push_customer);
    EXPECT_EQ(table().tag_edit(10, customer, 2), TagEdit::none);
    EXPECT_EQ(table().tag_edit(10, service, 2), TagEdit::set_customer);
    EXPECT_EQ(table().tag_edit(10, priority_only, 2), TagEdit::set_customer);
    EXPECT_EQ(table().tag_edit(10, none, 3), TagEdit::push_service);
    EXPECT_EQ(table().tag_edit(10, customer, 3), TagEdit::set_service);
    EXPECT_EQ(table().tag_edit(10, service, 3), TagEdit::none);
}

TEST(VlanTable, LearnsAndFloodsByDefault) {
    EXPECT_TRUE(table().floods_everywhere());
    EXPECT_TRUE(table().learns(10) && table().floods(10));
    Settings settings;
    settings.ports.resize(2);
    settings.vlan.unlearned[10] = true;
    settings.vlan.unflooded[20] = true;
    VlanTable made;
    made.configure(settings);
    EXPECT_FALSE(made.floods_everywhere());
    EXPECT_FALSE(made.learns(10));
    EXPECT_TRUE(made.floods(10));
    EXPECT_TRUE(made.learns(20));
    EXPECT_FALSE(made.floods(20));
}

TEST(VlanTable, EditsNothingWhereNobodyIsAware) {
    Settings settings;
    settings.ports.resize(2);
    VlanTable made;
    made.configure(settings);
    EXPECT_FALSE(made.edits_tags());
    EXPECT_TRUE(table().edits_tags());
}

}  // namespace
}  // namespace sluice
