#include "config/difference.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "config/device_kind.h"
#include "config/schema.h"
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
            "next.yaml:2:49: ports[0].rx_descriptors: cannot change from 1024 to "
            "256 while running; keep 1024, or restart sluiced",
            "next.yaml:2:70: ports[0].tx_descriptors: cannot change from 1024 to "
            "512 while running; keep 1024, or restart sluiced",
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
            "next.yaml:4:28: workers.cores: cannot change from chosen at start to [3, 4] "
            "while "
            "running; keep chosen at start, or restart sluiced",
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

TEST(Difference, TellsWhatIsWrittenFromTheWordsForWhatIsNot) {
    const std::string ports = "ports: [{device: ring:a}]\n";
    EXPECT_EQ(
        difference(ports, ports + "control: {readers: nobody}\n"),
        Lines{"next.yaml:2:20: control.readers: cannot change from nobody to \"nobody\" while "
              "running; keep nobody, or restart sluiced"});
}

TEST(Difference, OfRetryTimesAndActionsNeedNoRestart) {
    const std::string before = "ports: [{device: ring:a, lossless: [3], retry: {enabled: true}}]\n";
    EXPECT_EQ(difference(before,
                         "ports: [{device: ring:a, lossless: [3], retry: {enabled: true, "
                         "replay_timer: 2ms, replay_count_max: 2, data_age: 1s, init: block, "
                         "flush: discard}}]\n"),
              Lines{});
}

// Two values of each key that needs a restart, as two files have them; `ports[]` is the port with
// the key.
struct Twice {
    std::string_view path;
    std::string_view running;  // a file, but for `ports`
    std::string_view next;
    std::string_view device = "ring:a";
};

constexpr auto twice = std::to_array<Twice>({
    {"ports[].address", "", "address: 02:00:00:00:00:01"},
    {"ports[].underlay", "", "underlay: {address: 192.0.2.7/24}, mtu: 1558"},
    {"ports[].vnis", "vnis: {10: 7}, remotes: [192.0.2.2]", "vnis: {10: 8}, remotes: [192.0.2.2]",
     "vxlan:wan"},
    {"ports[].local_sid", "local_sid: '2001:db8::9'", "local_sid: '2001:db8::a'",
     "srv6:wan/2001:db8:2::d2"},
    {"ports[].reduced_srh", "local_sid: '2001:db8::9'",
     "local_sid: '2001:db8::9', reduced_srh: false", "srv6:wan/2001:db8:2::d2"},
    {"ports[].local_label", "next_hop: 02:00:00:00:00:02, local_label: 16",
     "next_hop: 02:00:00:00:00:02, local_label: 17", "mpls:wan/16001"},
    {"ports[].control_word", "next_hop: 02:00:00:00:00:02, local_label: 16",
     "next_hop: 02:00:00:00:00:02, local_label: 16, control_word: false", "mpls:wan/16001"},
    {"ports[].entropy_label", "next_hop: 02:00:00:00:00:02, local_label: 16",
     "next_hop: 02:00:00:00:00:02, local_label: 16, entropy_label: true", "mpls:wan/16001"},
    {"ports[].worker", "", "worker: 1"},
    {"ports[].lanes", "worker: 0", "worker: 0, lanes: [0, 1]", "ring:a,queues=2"},
    {"ports[].mtu", "", "mtu: 2000"},
    {"ports[].promiscuous", "", "promiscuous: false"},
    {"ports[].rx_descriptors", "", "rx_descriptors: 128"},
    {"ports[].tx_descriptors", "", "tx_descriptors: 128"},
    {"ports[].format", "", "format: afh_lite"},
    {"ports[].host", "", "host: {addresses: true}", "af_xdp:eth0"},
    {"ports[].pfc.by", "", "lossless: [3], pfc: {by: nic}", "ring:a,queues=8"},
    {"ports[].retry.enabled", "", "lossless: [3], retry: {enabled: true}"},
    {"ports[].retry.buffer", "lossless: [3], retry: {enabled: true}",
     "lossless: [3], retry: {enabled: true, buffer: 2MiB}"},
    {"ports[].retry.resequence", "lossless: [3], retry: {enabled: true}",
     "lossless: [3], retry: {enabled: true, resequence: 2MiB}"},
    {"hotplug.ports", "", "hotplug: {ports: 3}"},
    {"hotplug.devices", "", "hotplug: {devices: [tap]}"},
    {"workers.count", "", "workers: {count: 3}"},
    {"workers.cores", "", "workers: {cores: [3]}"},
    {"workers.idle", "", "workers: {idle: poll}"},
    {"workers.burst", "", "workers: {burst: 8}"},
    {"buffer.size", "", "buffer: {size: 1MiB}"},
    {"buffer.cell", "", "buffer: {cell: 64}"},
    {"fabric.algorithm", "", "fabric: {algorithm: serena}"},
    {"fdb.capacity", "", "fdb: {capacity: 64}"},
    {"multicast.capacity", "", "multicast: {capacity: 64}"},
    {"control.socket", "", "control: {socket: /tmp/s}"},
    {"control.readers", "", "control: {readers: adm}"},
    {"control.state", "", "control: {state: /tmp/s}"},
    {"metrics.listen", "", "metrics: {listen: '127.0.0.1:1'}"},
    {"metrics.tls.certificate", "",
     "metrics: {listen: '127.0.0.1:1', tls: {certificate: /c, key: /k}}"},
    {"metrics.tls.key", "", "metrics: {listen: '127.0.0.1:1', tls: {certificate: /c, key: /k}}"},
    {"metrics.token_file", "", "metrics: {listen: '127.0.0.1:1', token_file: /t}"},
    {"evpn.vnis", "", "evpn: {vnis: [{vni: 100, device: v, local_device: l}]}",
     "vxlan:wan/192.0.2.2/100"},
    {"evpn.grace", "evpn: {vnis: [{vni: 100, device: v, local_device: l}]}",
     "evpn: {vnis: [{vni: 100, device: v, local_device: l}], grace: 5s}",
     "vxlan:wan/192.0.2.2/100"},
    {"evpn.daemon_socket", "evpn: {vnis: [{vni: 100, device: v, local_device: l}]}",
     "evpn: {vnis: [{vni: 100, device: v, local_device: l}], daemon_socket: /tmp/z}",
     "vxlan:wan/192.0.2.2/100"},
    {"telemetry", "", "telemetry: true"},
});

std::string file_of(const Twice& about, std::string_view says) {
    const bool is_of_port = about.path.starts_with("ports[]");
    const bool is_tunnel = traits_of(about.device.substr(0, about.device.find(':')))->is_tunnel();
    std::string text = "ports:\n- {name: subject, device: '" + std::string(about.device) + "'" +
                       (is_of_port && !says.empty() ? ", " + std::string(says) : "") + "}\n";
    if (is_tunnel) {
        text +=
            "- {name: wan, device: 'ring:w', mtu: 1700, vlan: {mode: access, access: 4000}, "
            "underlay: {address: 192.0.2.1/24, address6: '2001:db8:2::1/64'}}\n";
    }
    if (about.path.starts_with("ports[].lanes") || about.path == "ports[].worker") {
        text += "workers: {count: 2}\n";
    }
    if (!is_of_port) text += std::string(says) + "\n";
    return text;
}

void add_paths(const Key& map, const std::string& path, std::vector<std::string>& paths) {
    for (const Key& key : map.inside) {
        if (key.name == "defaults") continue;
        const std::string below = path + (path.empty() ? "" : ".") + std::string(key.name);
        if (key.restart) paths.push_back(below);
        if (key.kind == Kind::map) add_paths(key, below, paths);
        if (const Key* const element = element_map(key)) {
            add_paths(*element, below + std::string(any_element(key)), paths);
        }
    }
}

TEST(Difference, IsOfEachKeyThatNeedsARestart) {
    std::vector<std::string> paths;
    add_paths(schema(), "", paths);
    std::vector<std::string> tried;
    for (const Twice& about : twice) tried.emplace_back(about.path);
    std::ranges::sort(paths);
    std::ranges::sort(tried);
    EXPECT_EQ(tried, paths) << "each needs a row in `twice`";
    for (const Twice& about : twice) {
        const Lines lines = difference(file_of(about, about.running), file_of(about, about.next));
        std::string path(about.path);
        if (path.starts_with("ports[]")) path.insert(6, "0");
        const auto names_it = [&](const std::string& line) {
            return line.find(": " + path + ": cannot change from ") != std::string::npos;
        };
        EXPECT_TRUE(std::ranges::any_of(lines, names_it))
            << path << ": " << ::testing::PrintToString(lines);
    }
}

}  // namespace
}  // namespace sluice::config
