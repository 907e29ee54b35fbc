#include "control/dcbx/classification.h"

#include <gtest/gtest.h>

namespace sluice::dcbx {
namespace {

using Order = std::array<PrioritySource, priority_sources>;
using enum PrioritySource;

TEST(Classification, WhatWasAdvertisedAndTakenIsTheSameTable) {
    const ApplicationTable table = {{Selector::ether_type, 0x8906, 3}, {Selector::ether_type, 0, 1},
                                    {Selector::tcp, 3260, 4},          {Selector::udp, 4791, 3},
                                    {Selector::tcp_or_udp, 2049, 5},   {Selector::dscp, 46, 6}};
    ClassifySettings classify;
    classify_by(table, classify);
    EXPECT_EQ(classify.application_count, table.size());
    EXPECT_EQ(applications_of(classify), table);
}

TEST(Classification, AFrameIsAskedForItsApplicationBehindItsTag) {
    ClassifySettings classify;
    classify_by({}, classify);
    EXPECT_EQ(classify.order, (Order{pcp, application, dscp, traffic_class}));
    classify.order = {dscp, pcp, roce};
    classify_by({}, classify);
    EXPECT_EQ(classify.order, (Order{dscp, pcp, application, roce}));
    classify.order = {dscp};
    classify_by({}, classify);
    EXPECT_EQ(classify.order, (Order{application, dscp}));
    classify.order = {traffic_class, application, pcp, dscp, roce};
    classify_by({}, classify);
    EXPECT_EQ(classify.order, (Order{traffic_class, application, pcp, dscp, roce}))
        << "where it is asked already";
}

TEST(Classification, TheFirstEntriesThatTheSwitchCanMatchCount) {
    ApplicationTable table(40, {Selector::tcp, 80, 2});
    table[0].selector = Selector::other_port;
    for (std::size_t n = 1; n < table.size(); ++n) table[n].protocol = static_cast<uint16_t>(n);
    ClassifySettings classify;
    classify_by(table, classify);
    EXPECT_EQ(classify.application_count, most_applications);
    EXPECT_EQ(classify.applications[0].protocol, 1);
    EXPECT_EQ(classify.applications[most_applications - 1].protocol, most_applications);
}

}  // namespace
}  // namespace sluice::dcbx
