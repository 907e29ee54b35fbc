#include "dataplane/ingress/tagging.h"

#include <gtest/gtest.h>

#include "tests/support/octets.h"

namespace sluice {
namespace {

using test::hex;
using test::Octets;

constexpr std::string_view addresses = "020000000101 020000000100";

TagForm form_of(Octets octets, const TaggingSettings& tagging) {
    Frame frame{};
    frame.data = octets.data();
    frame.length = static_cast<uint16_t>(octets.size());
    return form_of_tag(frame, tagging);
}
Octets with(std::string_view rest) { return hex(std::string(addresses) + std::string(rest)); }

TEST(Tagging, AFrameComesWithACustomersTagAServicesTagOrNone) {
    const TaggingSettings unaware;
    EXPECT_FALSE(form_of(with("0800 4500 0000"), unaware).tagged);
    const TagForm customer = form_of(with("8100 6005 0800"), unaware);
    EXPECT_TRUE(customer.tagged);
    EXPECT_EQ(customer.type, TagType::customer);
    EXPECT_TRUE(customer.names_vlan);
    EXPECT_EQ(form_of(with("88a8 6005 0800"), unaware).type, TagType::service);
    EXPECT_FALSE(form_of(with("8100 6000 0800"), unaware).names_vlan);
}

TEST(Tagging, APortThatIsAwareSeesTagsOfItsOwnTypeAlone) {
    const TaggingSettings aware{.aware = true, .type = TagType::service};
    EXPECT_FALSE(form_of(with("8100 6005 0800"), aware).tagged);
    EXPECT_TRUE(form_of(with("88a8 6005 0800"), aware).tagged);
}

Drop accepted(FrameTypes accept, std::string_view rest, VlanId& vlan) {
    Octets octets = with(rest);
    Frame frame{};
    frame.data = octets.data();
    frame.length = static_cast<uint16_t>(octets.size());
    Headers headers;
    headers.vlan = vlan;
    const Drop why = accept_tag(frame, {.aware = true, .accept = accept}, headers.vlan);
    vlan = headers.vlan;
    return why;
}

TEST(Tagging, APortTakesWhatItAccepts) {
    VlanId tagged = 5;
    VlanId untagged = 0;
    EXPECT_EQ(accepted(FrameTypes::all, "8100 6005 0800", tagged), Drop::none);
    EXPECT_EQ(accepted(FrameTypes::tagged, "8100 6005 0800", tagged), Drop::none);
    EXPECT_EQ(accepted(FrameTypes::untagged, "8100 6005 0800", tagged), Drop::tag_refused);
    EXPECT_EQ(accepted(FrameTypes::untagged, "0800 4500 0000", untagged), Drop::none);
    EXPECT_EQ(accepted(FrameTypes::tagged, "0800 4500 0000", untagged), Drop::tag_required);
    EXPECT_EQ(tagged, 5);
}

TEST(Tagging, TheVlanOfAForeignTagDoesNotCount) {
    VlanId vlan = 5;
    EXPECT_EQ(accepted(FrameTypes::untagged, "88a8 6005 0800", vlan), Drop::none);
    EXPECT_EQ(vlan, 0);
}

}  // namespace
}  // namespace sluice
