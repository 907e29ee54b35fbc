#include "config/difference.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/unit/config/faults_of.h"

namespace sluice::config {
namespace {

Lines difference(const std::string& running, const std::string& next) {
    const auto before = load_text(running, "running.yaml");
    const auto after = load_text(next, "next.yaml");
    if (!before) return lines_of(before.error());
    if (!after) return lines_of(after.error());
    return lines_of(difference_needing_restart(*before, *after));
}

TEST(Difference, IsNothingForWhatCanBeAdopted) {
    EXPECT_EQ(difference(two_ports, two_ports), Lines{});
    EXPECT_EQ(
        difference(two_ports,
                   "ports:\n"
                   "  - {device: ring:a, rate: 1G, default_vlan: 4, lossless: [3], trust: []}\n"
                   "  - {device: ring:b, scheduler: {wrr: {1: 3}}, pfc: {xon: 0, cable: 1km}}\n"
                   "buffer: {alpha: 2, reserved: 1KiB}\n"
                   "fabric: {iterations: 1, rule: weighted}\n"
                   "fdb: {ageing: 10s}\n"
                   "vlans: [{id: 1, ports: [p0]}]\n"),
        Lines{});
}

TEST(Difference, NamesWhatIsLaidOutAtStart) {
    const std::string next =
        "ports:\n"
        "  - {device: ring:c, mtu: 2000, rx_descriptors: 256, tx_descriptors: 512}\n"
        "  - {device: ring:b, name: x, worker: 0, promiscuous: false, address: 02:00:00:00:00:01}\n"
        "workers: {count: 2, cores: [3, 4], idle: poll, burst: 8}\n"
        "buffer: {size: 1MiB, cell: 64}\n"
        "fdb: {capacity: 64}\n"
        "multicast: {capacity: 64}\n"
        "control: {socket: /tmp/s}\n"
        "metrics: {listen: 127.0.0.1:9475}\n";
    EXPECT_EQ(
        difference("ports: [{device: ring:a}, {device: ring:b}]\nworkers: {count: 3}\n", next),
        (Lines{
            "next.yaml:2:14: ports[0].device: cannot change from ring:a to ring:c while running; "
            "keep "
            "ring:a, or restart sluiced",
            "next.yaml:2:27: ports[0].mtu: cannot change from 1500B to 2000B while running; keep "
            "1500B, "
            "or restart sluiced",
            "next.yaml:2:49: ports[0].rx_descriptors: cannot change from what suits the device to "
            "256 while running; keep what suits the device, or restart sluiced",
            "next.yaml:2:70: ports[0].tx_descriptors: cannot change from what suits the device to "
            "512 while running; keep what suits the device, or restart sluiced",
            "next.yaml:3:39: ports[1].worker: cannot change from 1 to 0 while running; keep 1, or "
            "restart sluiced",
            "next.yaml:3:55: ports[1].promiscuous: cannot change from true to false while running; "
            "keep "
            "true, or restart sluiced",
            "next.yaml:3:71: ports[1].address: cannot change from the device's own to "
            "02:00:00:00:00:01 "
            "while running; keep the device's own, or restart sluiced",
            "next.yaml:4:18: workers.count: cannot change from 3 to 2 while running; keep 3, or "
            "restart "
            "sluiced",
            "next.yaml:4:28: workers.cores: cannot change from those chosen at start to [3, 4] "
            "while "
            "running; keep those chosen at start, or restart sluiced",
            "next.yaml:4:42: workers.idle: cannot change from yield to poll while running; keep "
            "yield, "
            "or restart sluiced",
            "next.yaml:4:55: workers.burst: cannot change from 64 to 8 while running; keep 64, or "
            "restart sluiced",
            "next.yaml:5:16: buffer.size: cannot change from 16MiB to 1MiB while running; keep "
            "16MiB, or "
            "restart sluiced",
            "next.yaml:5:28: buffer.cell: cannot change from 256B to 64B while running; keep 256B, "
            "or "
            "restart sluiced",
            "next.yaml:6:17: fdb.capacity: cannot change from 16384 to 64 while running; keep "
            "16384, or "
            "restart sluiced",
            "next.yaml:7:23: multicast.capacity: cannot change from 1024 to 64 while running; keep "
            "1024, or restart sluiced",
            "next.yaml:8:19: control.socket: cannot change from /run/sluice/sluice.sock to /tmp/s "
            "while "
            "running; keep /run/sluice/sluice.sock, or restart sluiced",
            "next.yaml:9:19: metrics.listen: cannot change from nowhere to 127.0.0.1:9475 while "
            "running; keep nowhere, or restart sluiced",
        }));
}

TEST(Difference, LetsOtherSwitchesAndWhoMayReadChange) {
    const std::string listens = one_port + "metrics: {listen: 127.0.0.1:9475";
    EXPECT_EQ(
        difference(listens + "}\n", listens + ", topology: [{name: a, url: http://a}], allow: "
                                              "[http://a]}\n"),
        Lines{});
}

TEST(Difference, ReportsOnlyTheNumberWhenPortsCameOrWent) {
    EXPECT_EQ(
        difference(two_ports, one_port),
        Lines{"next.yaml:1:8: ports: cannot change from 2 to 1 while running; keep 2, or restart "
              "sluiced"});
}

// A key that was taken out has no place of its own: its map's is the nearest.
TEST(Difference, PointsAtTheNearestPlaceForADefault) {
    EXPECT_EQ(
        difference(one_port + "buffer: {size: 1MiB}\n", one_port + "buffer: {alpha: 2}\n"),
        Lines{"next.yaml:2:9: buffer.size: cannot change from 1MiB to 16MiB while running; keep "
              "1MiB, or restart sluiced"});
}

}  // namespace
}  // namespace sluice::config
