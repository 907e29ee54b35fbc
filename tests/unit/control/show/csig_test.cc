#include "control/show/noun_snapshots.h"

#include <gtest/gtest.h>

#include "dataplane/shard.h"
#include "tests/unit/control/driven_switch.h"
#include "tools/sluice/views.h"

namespace sluice::control {
namespace {

// Port 0 updates, port 1 strips.
DrivenSwitch with_tags() {
    return DrivenSwitch(3, [](Settings& settings) {
        settings.csig.wide.tpid = 0x9901;
        settings.ports[0].csig = {CsigMode::update, 300};
        settings.ports[0].rate = BitsPerSecond(1'000'000);
        settings.ports[1].csig.mode = CsigMode::strip;
    });
}

TEST(CsigSnapshot, IsEmptyWhereNoTagIsKnown) {
    const DrivenSwitch ports(2);
    EXPECT_EQ(ports.show("csig"), Json::array());
    EXPECT_EQ(cli::render("csig", Json::array()),
              "No tag of CSIG is known: no csig.*.tpid is set.\n");
}

TEST(CsigSnapshot, ShowsWhatPortsDoAndCount) {
    const DrivenSwitch ports = with_tags();
    CsigPorts& csig = ports.dataplane->shard(0).csig();
    csig.count(2, CsigFault::order);
    csig.count(2, CsigFault::not_ip);
    csig.count_stripped(only(1));
    csig.count_unstripped(only(1));
    const Json shown = ports.show("csig");
    ASSERT_EQ(shown.size(), 3U);
    EXPECT_EQ(shown[0]["port"], "p0");
    EXPECT_EQ(shown[0]["mode"], "update");
    EXPECT_EQ(shown[0]["locator"], 300);
    EXPECT_EQ(shown[0]["available_bps"], 1'000'000) << "what it is shaped to";
    EXPECT_EQ(shown[1]["mode"], "strip");
    EXPECT_EQ(shown[1]["locator"], nullptr);
    EXPECT_EQ(shown[1]["available_bps"], nullptr);
    EXPECT_EQ(shown[1]["stripped"], 1);
    EXPECT_EQ(shown[1]["shared"], 1);
    EXPECT_EQ(shown[2]["mode"], "off");
    EXPECT_EQ(shown[2]["truncated"], 0);
    EXPECT_EQ(shown[2]["order"], 1);
    EXPECT_EQ(shown[2]["macsec"], 0);
    EXPECT_EQ(shown[2]["not_ip"], 1);
    EXPECT_NE(cli::render("csig", shown).find("STRIPPED"), std::string::npos);
}

}  // namespace
}  // namespace sluice::control
