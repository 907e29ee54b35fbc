#include "dataplane/ingress/classify.h"

#include <gtest/gtest.h>

namespace sluice {
namespace {

constexpr auto none = PrioritySource::none;
constexpr auto pcp = PrioritySource::pcp;
constexpr auto dscp = PrioritySource::dscp;

// PCP 3 becomes 3 and DSCP 46 becomes 5; whoever has neither gets 1.
Classifier classifier(PrioritySource first, PrioritySource second) {
    ClassifySettings settings;
    settings.order = {first, second};
    settings.dscp_to_priority[46] = 5;
    settings.default_priority = 1;
    return Classifier(settings);
}

Headers headers(bool tagged, bool ip) {
    Headers headers;
    headers.tagged = tagged;
    headers.pcp = tagged ? 3 : 0;
    headers.network_offset = ip ? 14 : 0;
    headers.dscp = ip ? 46 : 0;
    return headers;
}

TEST(Classifier, TheFirstSourceThatTheFrameHasDecides) {
    struct Case {
        PrioritySource first;
        PrioritySource second;
        int tagged_ip;
        int tagged;
        int ip;
        int neither;
    };
    for (const Case& c : {Case{pcp, dscp, 3, 3, 5, 1}, Case{dscp, pcp, 5, 3, 5, 1},
                          Case{pcp, none, 3, 3, 1, 1}, Case{dscp, none, 5, 1, 5, 1},
                          Case{none, none, 1, 1, 1, 1}, Case{none, dscp, 5, 1, 5, 1}}) {
        const Classifier classify = classifier(c.first, c.second);
        EXPECT_EQ(classify(headers(true, true)), c.tagged_ip);
        EXPECT_EQ(classify(headers(true, false)), c.tagged);
        EXPECT_EQ(classify(headers(false, true)), c.ip);
        EXPECT_EQ(classify(headers(false, false)), c.neither);
    }
}

TEST(Classifier, APriorityTagHasAPriority) {
    Headers tagged = headers(true, false);
    tagged.vlan = 0;
    EXPECT_EQ(classifier(pcp, dscp)(tagged), 3);
}

TEST(Classifier, MapsEveryCodePointThroughItsTable) {
    ClassifySettings settings;
    for (unsigned point = 0; point < 64; ++point) {
        settings.dscp_to_priority[point] = static_cast<Priority>(point / 8);
    }
    for (unsigned point = 0; point < 8; ++point) {
        settings.pcp_to_priority[point] = static_cast<Priority>(7 - point);
    }
    const Classifier classify(settings);
    for (unsigned point = 0; point < 64; ++point) {
        Headers ip = headers(false, true);
        ip.dscp = static_cast<uint8_t>(point);
        EXPECT_EQ(classify(ip), point / 8);
    }
    for (unsigned point = 0; point < 8; ++point) {
        Headers tagged = headers(true, true);
        tagged.pcp = static_cast<uint8_t>(point);
        EXPECT_EQ(classify(tagged), 7 - point);
    }
}

}  // namespace
}  // namespace sluice
