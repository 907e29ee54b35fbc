#include "config/port/flow_control.h"

#include <gtest/gtest.h>

#include "config/difference.h"
#include "config/loader.h"
#include "tests/unit/config/faults_of.h"

namespace sluice::config {
namespace {

// Returns the faults of a port that pauses by its device, with `more` keys.
Lines faults_with(const std::string& pfc, const std::string& more = "") {
    return faults_of("ports: [{device: 'ring:a,queues=8', lossless: [3], pfc: {by: nic" + pfc +
                     "}" + more + "}]\n");
}

bool one_says(const Lines& faults, const std::string& what) {
    return faults.size() == 1 && faults[0].find(what) != std::string::npos;
}

Lines faults_by_credit(const std::string& more) {
    return faults_of("ports: [{device: ring:a, flow_control: credit, lossless: [3]" + more +
                     "}]\n");
}

TEST(FlowControlByCredit, HasABufferForWhatItsPeerSends) {
    const auto read = load_text(
        "ports: [{device: ring:a, speed: 10G, flow_control: credit, lossless: [3], pfc: {cable: "
        "0mm, response: 0}, credit: {quantum: 1025B}}]\nbuffer: {cell: 256B}\n",
        "x.yaml");
    ASSERT_TRUE(read.has_value());
    const PortSettings& port = read->settings.ports[0];
    EXPECT_EQ(port.flow_control, FlowControl::credit);
    EXPECT_EQ(port.credit.buffer, Bytes(3 * 1536 + 2 * 1024));
    EXPECT_EQ(port.credit.quantum, Bytes(1025));
    EXPECT_EQ(port.credit.refresh, Nanos(1'000'000));
    EXPECT_EQ(port.pfc.reserved + port.pfc.headroom, port.credit.buffer + Bytes(1536));
    EXPECT_GT(port.pfc.headroom, Bytes(0)) << "as long as the peer gives none";
    EXPECT_EQ(faults_by_credit(""), Lines{});
    EXPECT_EQ(faults_by_credit(", credit: {buffer: 64KiB, quantum: 4KiB}"), Lines{});
    EXPECT_TRUE(one_says(faults_by_credit(", credit: {buffer: 4KiB, quantum: 4KiB}"),
                         "4KiB is below the 5632B of a largest frame and a quantum"));
}

// Buffer and headroom are needed one at a time.
TEST(FlowControlByCredit, SetsTheLargerOfBothAside) {
    const auto pfc_of = [](const std::string& more) {
        return load_text("ports: [{device: ring:a, flow_control: credit, lossless: [3], " + more +
                             "}]\nbuffer: {cell: 256B}\n",
                         "x.yaml")
            ->settings.ports[0]
            .pfc;
    };
    const PfcSettings small =
        pfc_of("credit: {buffer: 64KiB, quantum: 4KiB}, pfc: {headroom: 256KiB, reserved: 8KiB}");
    EXPECT_EQ(small.headroom, Bytes(256 * 1024));
    EXPECT_EQ(small.reserved, Bytes(8 * 1024)) << "the headroom holds it";
    const PfcSettings large =
        pfc_of("credit: {buffer: 512KiB, quantum: 4KiB}, pfc: {headroom: 256KiB, reserved: 8KiB}");
    EXPECT_EQ(large.headroom, Bytes(256 * 1024));
    EXPECT_EQ(large.reserved, Bytes(256 * 1024 + 1536)) << "and a longest frame";
}

TEST(FlowControlByCredit, ExcludesWhatPauses) {
    EXPECT_TRUE(one_says(faults_by_credit(", pfc: {link_pause: true}"),
                         "pfc.link_pause: cannot be combined"));
    EXPECT_TRUE(one_says(faults_by_credit(", pfc: {asymmetric: true}"),
                         "pfc.asymmetric: cannot be combined"));
    EXPECT_TRUE(one_says(faults_by_credit(", pfc: {by: nic}"), "nic cannot be combined"));
    EXPECT_TRUE(one_says(faults_of("ports: [{device: 'ring:a,queues=2', flow_control: credit, "
                                   "lossless: [3], lanes: [0, 1]}]\nworkers: {count: 2}\n"),
                         "lanes: cannot be combined with flow_control: credit"));
    EXPECT_TRUE(one_says(faults_by_credit(", dcbx: {willing: [pfc]}"),
                         "has no meaning with flow_control: credit"));
    EXPECT_TRUE(one_says(faults_by_credit(", lldp: {mode: tx}"), "credit needs LLDP both ways"));
    EXPECT_TRUE(one_says(faults_by_credit(", format: afh_lite"),
                         "credit is not supported for frames of afh_lite"));
    EXPECT_TRUE(one_says(faults_by_credit(", underlay: {address: 192.0.2.1/24}"),
                         "underlay: cannot be combined with flow_control: credit"));
    EXPECT_TRUE(one_says(
        faults_of("ports: [{name: a, device: ring:a, underlay: {address: 192.0.2.1/24}}, {device: "
                  "'vxlan:a/192.0.2.2/7', flow_control: credit, lossless: [3]}]\n"),
        "credit is not supported on tunnels"));
    EXPECT_TRUE(one_says(faults_of("ports: [{device: ring:a, flow_control: credit}]\n"),
                         "credit needs a lossless priority"));
    EXPECT_TRUE(one_says(faults_of("ports: [{device: ring:a, credit: {quantum: 4KiB}}]\n"),
                         "has no meaning without flow_control: credit"));
}

TEST(FlowControlByNic, KeepsTwoBurstsWhateverTheLink) {
    for (const char* speed : {"1G", "100G"}) {
        const auto read =
            load_text("ports: [{device: 'ring:a,queues=8', speed: " + std::string(speed) +
                          ", lossless: [3], pfc: {by: nic}}]\n",
                      "x.yaml");
        ASSERT_TRUE(read.has_value());
        const PfcSettings& pfc = read->settings.ports[0].pfc;
        EXPECT_EQ(pfc.by, PfcBy::queues);
        EXPECT_EQ(pfc.headroom, Bytes(2 * 64 * 1536)) << speed;
        EXPECT_EQ(pfc.xon, pfc.headroom);
        EXPECT_EQ(pfc.xoff, pfc.headroom * 2);
    }
    EXPECT_TRUE(one_says(faults_with(", headroom: 191KiB"),
                         "191KiB is below the 192KiB that two bursts of 64 frames take; write "
                         "192KiB or more"));
    EXPECT_EQ(faults_with(", headroom: 192KiB"), Lines{});
}

TEST(FlowControlByNic, HasNothingThatIsOfPauseFrames) {
    for (const char* key : {"cable: 10m", "response: 10us", "pause: 100", "tx_limit: 5"}) {
        EXPECT_TRUE(
            one_says(faults_with(", " + std::string(key)), "has no effect with pfc.by: nic"))
            << key;
    }
    EXPECT_EQ(faults_with(", rx_limit: 5, link_pause: true, peer: 02:00:00:00:00:01"), Lines{});
    EXPECT_EQ(faults_of("defaults: {pfc: {cable: 10m}}\n"
                        "ports: [{device: 'ring:a,queues=8', lossless: [3], pfc: {by: nic}}]\n"),
              Lines{})
        << "that is for others";
}

TEST(FlowControlByNic, GoesWithNothingThatItCannotDo) {
    EXPECT_TRUE(one_says(faults_with(", watchdog: {action: forward}"),
                         "which sends nothing during a pause"));
    EXPECT_TRUE(
        one_says(faults_with(", asymmetric: true"), "which has no queues for lossy priorities"));
    EXPECT_TRUE(
        one_says(faults_with("", ", dcbx: {willing: [pfc]}"), "whose queues are made at start"));
    EXPECT_TRUE(
        one_says(faults_with("", ", lanes: [0, 0]"), "which needs the queues for priorities"));
    EXPECT_TRUE(one_says(faults_of("ports: [{device: 'ring:a,queues=8', flow_control: none, "
                                   "lossless: [], pfc: {by: nic}}]\n"),
                         "has no effect with flow_control: none"));
    EXPECT_TRUE(one_says(faults_of("ports: [{device: 'ring:a,queues=8', pfc: {by: nic}}]\n"),
                         "without lossless priorities"));
}

TEST(FlowControlByNic, IsNothingWhereNoPriorityPauses) {
    const auto read = load_text("defaults: {pfc: {by: nic}}\nports: [{device: 'ring:a'}]\n", "x");
    ASSERT_TRUE(read.has_value());
    EXPECT_EQ(read->settings.ports[0].pfc.by, PfcBy::frames);
}

TEST(FlowControlByNic, ChangesByARestart) {
    const auto of = [](const std::string& rest) {
        return *load_text("ports: [{device: 'ring:a,queues=8', " + rest + "}]\n", "x.yaml");
    };
    const auto three = of("lossless: [3], pfc: {by: nic}");
    EXPECT_EQ(difference_needing_restart(three, of("lossless: [3]")).size(), 1U);
    EXPECT_EQ(difference_needing_restart(three, of("lossless: [3, 4], pfc: {by: nic}")).size(), 1U);
    EXPECT_TRUE(difference_needing_restart(three, three).empty());
    EXPECT_TRUE(difference_needing_restart(of("lossless: [3]"), of("lossless: [4]")).empty());
}

// --- by a ring ---

PfcSettings pfc_of(const std::string& port) {
    const auto read = load_text("ports: [{" + port + "}]\n", "x.yaml");
    return read ? read->settings.ports[0].pfc : PfcSettings{};
}

TEST(FlowControlByRing, IsTheDefaultOfGuestsAlone) {
    const PfcSettings guest = pfc_of("device: 'vhost:/run/a', lossless: [3]");
    EXPECT_EQ(guest.by, PfcBy::ring);
    EXPECT_EQ(guest.headroom, Bytes(2 * 64 * 1536)) << "two bursts, whatever the link";
    EXPECT_EQ(pfc_of("device: 'vhost:/run/a', lossless: [3], pfc: {by: switch}").by, PfcBy::frames);
    EXPECT_EQ(pfc_of("device: 'vhost:/run/a'").by, PfcBy::frames) << "nothing pauses";
    for (const char* other : {"memif:/run/a", "ring:a", "af_packet:a", "tap:a"}) {
        const std::string port = "device: '" + std::string(other) + "', lossless: [3]";
        EXPECT_EQ(pfc_of(port).by, PfcBy::frames) << other;
        EXPECT_EQ(pfc_of(port + ", pfc: {by: ring}").by, PfcBy::ring) << other;
    }
}

TEST(FlowControlByRing, IsRefusedWhereNobodyKeepsWhatIsNotTaken) {
    const auto faults = [](const std::string& device, const std::string& rest = "") {
        return faults_of("ports: [{device: '" + device + "', lossless: [3], pfc: {by: ring}" +
                         rest + "}]\n");
    };
    EXPECT_TRUE(one_says(faults("pci:0000:03:00.0"), "frames that pci does not take are lost"));
    EXPECT_TRUE(one_says(faults("vhost:/run/a,queues=2", ", lanes: [0, 0]"),
                         "lanes: cannot be used with pfc.by: ring"));
    EXPECT_TRUE(
        one_says(faults("memif:/run/a", ", flow_control: credit"), "ring cannot be combined"));
    EXPECT_TRUE(one_says(faults_of("ports: [{device: 'vhost:/run/a', lossless: [3], "
                                   "pfc: {headroom: 191KiB}}]\n"),
                         "that two bursts of 64 frames take"));
}

TEST(FlowControl, GivesPeersBehindQueuesOfTheKernelMoreTimeToObey) {
    const auto read = load_text(
        "ports: [{device: 'ring:a'}, {device: 'af_packet:a'}, {device: 'af_xdp:b'},"
        " {device: 'tap:c'}, {device: 'vhost:/d'}]\n",
        "x.yaml");
    ASSERT_TRUE(read);
    std::vector<int64_t> milliseconds;
    for (const PortSettings& port : read->settings.ports) {
        milliseconds.push_back(port.pfc.obedience_patience.count() / 1'000'000);
    }
    EXPECT_EQ(milliseconds, (std::vector<int64_t>{1, 50, 50, 50, 1}));
}

}  // namespace
}  // namespace sluice::config
