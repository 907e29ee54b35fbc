#include "config/port/pause_peers.h"

#include <gtest/gtest.h>

#include "tests/unit/config/faults_of.h"

namespace sluice::config {
namespace {

Configuration read(const std::string& pfc, const std::string& more = "") {
    auto configuration =
        load_text("ports:\n- {device: 'ring:a', pfc: " + pfc + "}\n" + more, "x.yaml");
    EXPECT_TRUE(configuration) << lines_of(configuration.error()).front();
    return *configuration;
}

PausePeers peers_of(const std::string& pfc) { return read(pfc).settings.ports[0].pfc.peers; }

TEST(PausePeers, AreAnySourceByDefault) {
    EXPECT_TRUE(peers_of("{cable: 3m}").anybody());
    EXPECT_FALSE(read("{cable: 3m}").ports[0].strict);
}

TEST(PausePeers, AreOneStationOrAListOfThem) {
    const PausePeers one = peers_of("{peer: 02:00:00:00:00:0B}");
    EXPECT_FALSE(one.anybody());
    ASSERT_EQ(one.named().size(), 1U);
    EXPECT_EQ(one.named()[0], MacAddress{0x02000000000B});
    EXPECT_EQ(peers_of("{peer: [02:00:00:00:00:0B]}"), one);
    const PausePeers two = peers_of("{peer: [02:00:00:00:00:0B, 02:00:00:00:00:0C]}");
    EXPECT_TRUE(two.obeys({0x02000000000B}) && two.obeys({0x02000000000C}));
    EXPECT_FALSE(two.obeys({0x02000000000D}));
}

TEST(PausePeers, OfAStrictPortAreNobodyUntilLldpShowsOne) {
    EXPECT_TRUE(read("{strict: true}").ports[0].strict);
    EXPECT_EQ(peers_of("{strict: true}").named().size(), 0U);
    EXPECT_FALSE(peers_of("{strict: true}").anybody());
    EXPECT_TRUE(peers_of("{strict: true, peer: 02:00:00:00:00:0B}").obeys({0x02000000000B}));
}

std::string fault_of(const std::string& of_port, const std::string& more = "") {
    const Lines lines = faults_of("ports:\n- device: ring:a\n  " + of_port + "\n" + more);
    return lines.size() == 1 ? lines[0] : std::to_string(lines.size()) + " faults";
}

TEST(PausePeers, AreStationsEachOnce) {
    EXPECT_EQ(fault_of("pfc: {peer: 01:80:C2:00:00:01}")
                  .find("x.yaml:3:15: ports[0].pfc.peer: 01:80:C2:00:00:01 "),
              0U)
        << fault_of("pfc: {peer: 01:80:C2:00:00:01}");
    EXPECT_EQ(fault_of("pfc: {peer: [02:00:00:00:00:01, 02:00:00:00:00:01]}"),
              "x.yaml:3:35: ports[0].pfc.peer[1]: 02:00:00:00:00:01 is listed twice; keep one");
    EXPECT_EQ(fault_of("pfc: {peer: []}"),
              "x.yaml:3:15: ports[0].pfc.peer: has 0 items; write an address such as "
              "02:00:00:00:00:01, or a list of up to 4 of them");
    EXPECT_EQ(fault_of("pfc: {peer: {a: 1}}"),
              "x.yaml:3:15: ports[0].pfc.peer: is a map; write an address such as "
              "02:00:00:00:00:01, or a list of up to 4 of them");
}

TEST(PausePeers, AStrictPortNeedsLldp) {
    EXPECT_EQ(fault_of("pfc: {strict: true}\n  lldp: {mode: tx}"),
              "x.yaml:3:17: ports[0].pfc.strict: the port does not learn its neighbour by LLDP, "
              "with lldp.mode: tx; write false and pfc.peer, or let the port receive LLDP");
    EXPECT_EQ(fault_of("pfc: {strict: true}", "lldp: {enabled: false}"),
              "x.yaml:3:17: ports[0].pfc.strict: the port does not learn its neighbour by LLDP, "
              "with lldp.enabled: false; write false and pfc.peer, or let the port receive LLDP");
    EXPECT_TRUE(
        faults_of("ports:\n- device: ring:a\n  lldp: {mode: rx}\n  pfc: {strict: true}\n").empty());
}

}  // namespace
}  // namespace sluice::config
