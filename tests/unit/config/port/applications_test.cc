#include "config/port/applications.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/unit/config/faults_of.h"

namespace sluice::config {
namespace {

TEST(ApplicationsOf, APortAreATable) {
    const auto read = load_text(
        "ports:\n"
        "  - device: ring:a\n"
        "    trust: [pcp, application]\n"
        "    application:\n"
        "      - {selector: ethertype, protocol: 35078, priority: 3}\n"
        "      - {selector: udp, protocol: 4791, priority: 5}\n",
        "x.yaml");
    ASSERT_TRUE(read.has_value());
    const ClassifySettings& classify = read->settings.ports[0].classify;
    EXPECT_EQ(classify.order[1], PrioritySource::application);
    ASSERT_EQ(classify.application_count, 2);
    EXPECT_EQ(classify.applications[0].selector, ApplicationSelector::ethertype);
    EXPECT_EQ(classify.applications[0].protocol, 0x8906);
    EXPECT_EQ(classify.applications[1].selector, ApplicationSelector::udp);
    EXPECT_EQ(classify.applications[1].priority, 5);
}

TEST(ApplicationsOf, AProtocolFitsItsSelectorAndIsThereOnce) {
    EXPECT_EQ(
        faults_of("ports:\n"
                  "  - device: ring:a\n"
                  "    trust: [application]\n"
                  "    application:\n"
                  "      - {selector: dscp, protocol: 64, priority: 3}\n"
                  "      - {selector: tcp, protocol: 0, priority: 3}\n"
                  "      - {selector: ethertype, protocol: 1500, priority: 3}\n"
                  "      - {selector: ethertype, protocol: 0, priority: 3}\n"
                  "      - {selector: tcp, protocol: 80, priority: 3}\n"
                  "      - {selector: tcp, protocol: 80, priority: 4}\n"),
        (Lines{
            "x.yaml:5:36: ports[0].application[0].protocol: 64 is out of range for dscp; write a "
            "DSCP from 0 to 63",
            "x.yaml:6:35: ports[0].application[1].protocol: 0 is out of range for tcp; write a "
            "port from 1 to 65535",
            "x.yaml:7:41: ports[0].application[2].protocol: 1500 is out of range for ethertype; "
            "write 0 or an EtherType from 1536 to 65535",
            "x.yaml:10:9: ports[0].application[5]: matches the same frames as "
            "ports[0].application[4]; keep "
            "one of them"}));
}

TEST(ApplicationsOf, ArePointlessWhereNobodyLooksThemUp) {
    EXPECT_EQ(
        faults_of("ports:\n"
                  "  - device: ring:a\n"
                  "    dcbx: {mode: disabled}\n"
                  "    application: [{selector: tcp, protocol: 80, priority: 3}]\n"),
        (Lines{"x.yaml:4:18: ports[0].application: is neither looked up, as trust does not "
               "name application, nor advertised by dcbx; write trust: [pcp, application], or the "
               "like"}));
}

}  // namespace
}  // namespace sluice::config
