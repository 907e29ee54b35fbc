#include "config/loader.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "tests/unit/config/faults_of.h"

namespace sluice::config {
namespace {

using namespace literals;

Configuration loaded(const std::string& text) {
    auto configuration = load_text(text, "x.yaml");
    if (!configuration) {
        for (const std::string& line : lines_of(configuration.error())) ADD_FAILURE() << line;
        return {};
    }
    return std::move(*configuration);
}

Lines faults_of_file(const std::string& path, FileKind kind = FileKind::any) {
    const auto configuration = load(path, kind);
    return configuration ? Lines{} : lines_of(configuration.error());
}

TEST(Loader, NeedsNothingButDevices) {
    const Configuration read = loaded(two_ports);
    ASSERT_EQ(read.ports.size(), 2U);
    EXPECT_EQ(read.ports[0].name, "p0");
    EXPECT_EQ(read.ports[1].name, "p1");
    EXPECT_EQ(read.ports[1].device, "ring:b");
    EXPECT_EQ(read.ports[0].mtu, 1500_B);
    EXPECT_TRUE(read.ports[0].promiscuous);
    EXPECT_FALSE(read.ports[0].address.has_value());
    EXPECT_FALSE(read.ports[0].speed_written);
    EXPECT_EQ(read.ports[0].rx_descriptors, 0);
    EXPECT_EQ(read.ports[0].tx_descriptors, 0);
    EXPECT_TRUE(read.workers.cores.empty());
    EXPECT_EQ(read.workers.idle, Idle::yield);
    EXPECT_EQ(read.workers.burst, 64);
    EXPECT_EQ(read.control.socket, "/run/sluice/sluice.sock");
    EXPECT_EQ(read.metrics.listen, "");
    EXPECT_FALSE(read.state.any());
}

TEST(Loader, ReadsWhatOutlastsARestart) {
    const Configuration read =
        loaded(two_ports + "state: {fdb: true, counters: true, interval: 5s}\n");
    EXPECT_TRUE(read.state.fdb);
    EXPECT_TRUE(read.state.counters);
    EXPECT_EQ(read.state.interval, Nanos(5'000'000'000));
}

TEST(Loader, ReadsAPort) {
    const Configuration read = loaded(
        "ports:\n"
        "  - name: up\n"
        "    device: pci:0000:03:00.0\n"
        "    speed: 100G\n"
        "    rate: 1.5G\n"
        "    mtu: 4000\n"
        "    promiscuous: false\n"
        "    address: 02:00:00:00:00:0A\n"
        "    default_vlan: 5\n"
        "    default_priority: 2\n"
        "    trust: [dscp, pcp]\n"
        "    pcp_to_priority: [7, 6, 5, 3, 4, 2, 1, 0]\n"
        "    dscp_to_priority: {26: 3, 48: 6}\n"
        "    scheduler: {strict: [6], dwrr: {0: 10, 3: 1000}, traffic_class: [0, 0, 0, 3, 3, 5, 6, "
        "7]}\n"
        "    lossless: [3, 4]\n"
        "    pfc: {xoff: 1MiB, xon: 512KiB, headroom: 2MiB, pause: 100}\n");
    ASSERT_EQ(read.settings.ports.size(), 1U);
    const PortSettings& port = read.settings.ports[0];
    EXPECT_EQ(port.speed, 100_Gbps);
    EXPECT_TRUE(read.ports[0].speed_written);
    EXPECT_EQ(port.rate.count(), 1'500'000'000);
    EXPECT_EQ(read.ports[0].mtu, 4000_B);
    EXPECT_EQ(port.max_frame, 4022_B);
    EXPECT_FALSE(read.ports[0].promiscuous);
    EXPECT_EQ(port.address, MacAddress{0x02000000000A});
    EXPECT_EQ(read.ports[0].address, port.address);
    EXPECT_EQ(port.default_vlan, 5);
    EXPECT_EQ(port.classify.default_priority, 2);
    EXPECT_EQ(port.classify.order[0], PrioritySource::dscp);
    EXPECT_EQ(port.classify.order[1], PrioritySource::pcp);
    EXPECT_EQ(port.classify.order[2], PrioritySource::none);
    EXPECT_EQ(port.classify.pcp_to_priority[0], 7);
    EXPECT_EQ(port.classify.dscp_to_priority[26], 3);
    EXPECT_EQ(port.classify.dscp_to_priority[48], 6);
    EXPECT_EQ(port.classify.dscp_to_priority[47], 0);
    EXPECT_EQ(port.scheduler.traffic_class[2], 0);
    EXPECT_EQ(port.scheduler.traffic_class[4], 3);
    EXPECT_EQ(port.scheduler.discipline[6], Discipline::strict);
    EXPECT_EQ(port.scheduler.discipline[5], Discipline::strict);  // named nowhere
    EXPECT_EQ(port.scheduler.discipline[0], Discipline::dwrr);
    EXPECT_EQ(port.scheduler.weight[0], 10);
    EXPECT_EQ(port.scheduler.weight[3], 1000);
    EXPECT_EQ(port.pfc.lossless, 0b0001'1000);
    EXPECT_EQ(port.pfc.xoff, 1_MiB);
    EXPECT_EQ(port.pfc.xon, 512_KiB);
    EXPECT_EQ(port.pfc.headroom, 2_MiB);
    EXPECT_EQ(port.pfc.pause, 100_quanta);
}

TEST(Loader, ReadsWhatALosslessPriorityMayChoose) {
    const Configuration read = loaded(
        "ports:\n"
        "  - device: ring:a\n"
        "    rx_descriptors: 256\n"
        "    tx_descriptors: 8192\n"
        "    lossless: [3]\n"
        "    pfc:\n"
        "      trigger: egress\n"
        "      reserved: 4KiB\n"
        "      alpha: 1/8\n"
        "      xon_offset: 8KiB\n"
        "      peer: 02:00:00:00:00:0B\n"
        "      link_pause: true\n"
        "      rx_limit: 1000\n"
        "      tx_limit: 2000\n"
        "      unproved: refuse\n"
        "      watchdog: {action: drop, detection: 400ms, restoration: 1s,\n"
        "        longest_restoration: 8s, poll: 100ms}\n"
        "    ecn:\n"
        "      0: {low: 100KiB, high: 1MiB, probability: 1, drop: true}\n"
        "      3: {low: 10KiB, high: 100KiB, probability: 0.2}\n");
    ASSERT_EQ(read.settings.ports.size(), 1U);
    const PortSettings& port = read.settings.ports[0];
    EXPECT_EQ(read.ports[0].rx_descriptors, 256);
    EXPECT_EQ(read.ports[0].tx_descriptors, 8192);
    EXPECT_EQ(port.pfc.trigger, PauseTrigger::egress);
    EXPECT_EQ(port.pfc.reserved, 4_KiB);
    EXPECT_EQ(port.pfc.alpha_128, 16U);
    EXPECT_EQ(port.pfc.xon_offset, 8_KiB);
    EXPECT_TRUE(port.pfc.peers.obeys({0x02000000000B}));
    EXPECT_FALSE(port.pfc.peers.obeys({0x02000000000C}));
    EXPECT_TRUE(port.pfc.link_pause);
    EXPECT_EQ(port.pfc.rx_limit, 1000U);
    EXPECT_EQ(port.pfc.tx_limit, 2000U);
    EXPECT_EQ(read.ports[0].unproved, Unproved::refuse);
    EXPECT_EQ(port.pfc.watchdog.action, WatchdogAction::drop);
    EXPECT_EQ(port.pfc.watchdog.detection, 400_ms);
    EXPECT_EQ(port.pfc.watchdog.restoration, 1_s);
    EXPECT_EQ(port.pfc.watchdog.longest_restoration, 8_s);
    EXPECT_EQ(port.pfc.watchdog.poll, 100_ms);
    EXPECT_EQ(port.ecn[0].probability_65536, 65536U);
    EXPECT_EQ(port.ecn[3].low, 10_KiB);
    EXPECT_EQ(port.ecn[3].high, 100_KiB);
    EXPECT_EQ(port.ecn[3].probability_65536, 13107U);
    EXPECT_FALSE(port.ecn[3].drop);
    EXPECT_TRUE(port.ecn[0].drop);
    EXPECT_EQ(port.ecn[4].high, 0_B);  // never marks
}

TEST(Loader, KnowsEveryActionOfTheWatchdog) {
    const auto action = [](const std::string& word) {
        return loaded("ports: [{device: ring:a, lossless: [3], pfc: {watchdog: {action: " + word +
                      "}}}]\n")
            .settings.ports.at(0)
            .pfc.watchdog.action;
    };
    EXPECT_EQ(action("off"), WatchdogAction::off);
    EXPECT_EQ(action("alert"), WatchdogAction::alert);
    EXPECT_EQ(action("drop"), WatchdogAction::drop);
    EXPECT_EQ(action("forward"), WatchdogAction::forward);
}

TEST(Loader, WorksOutTheHeadroomThatIsNotWritten) {
    const Configuration read = loaded(
        "defaults: {speed: 100G, lossless: [3], pfc: {response: 10us}}\n"
        "ports:\n"
        "  - device: ring:a\n"
        "  - {device: ring:b, pfc: {cable: 1km}, mtu: 4000}\n"
        "  - {device: ring:c, pfc: {headroom: 1MiB}}\n"
        "buffer: {cell: 64}\n");
    const auto headroom = [&](std::size_t port) { return read.settings.ports[port].pfc.headroom; };
    ASSERT_EQ(read.ports.size(), 3U);
    const HeadroomNeeds& needs = read.ports[1].needs;
    EXPECT_EQ(needs.speed, 100_Gbps);
    EXPECT_EQ(needs.cable_millimetres, 1'000'000);
    EXPECT_EQ(needs.mtu, 4032_B);  // 63 cells
    EXPECT_EQ(needs.port_mtu, 4022_B);
    EXPECT_EQ(needs.response, 10_us);
    EXPECT_EQ(needs.cell_overhead_128, worst_cell_overhead_128(64_B));
    EXPECT_EQ(headroom(0), headroom_for(read.ports[0].needs));
    EXPECT_EQ(headroom(1), headroom_for(needs));
    EXPECT_GT(headroom(1), headroom(0));
    EXPECT_EQ(headroom(2), 1_MiB);
    EXPECT_FALSE(read.ports[0].headroom_written);
    EXPECT_TRUE(read.ports[2].headroom_written);
}

// 125,000 octets in 10 us, 631 on the cable, a frame of 1536, one of 1522 and a pause frame.
TEST(Loader, WorksOutTheLevelsThatAreNotWritten) {
    const Configuration read = loaded(
        "defaults: {lossless: [3]}\n"
        "ports:\n"
        "  - device: ring:a\n"
        "  - {device: ring:b, speed: 100G, pfc: {response: 10us}}\n"
        "  - {device: ring:c, speed: 100G, pfc: {response: 10us, xoff: 100KiB}}\n"
        "  - {device: ring:d, speed: 100G, pfc: {response: 10us, xon: 10KiB}}\n"
        "  - {device: ring:e, speed: 100G, pfc: {xoff: 10KiB, xon: 9KiB}}\n"
        "  - {device: ring:f, speed: 100G, pfc: {response: 10us, xon: 200KiB}}\n");
    const auto levels = [&](std::size_t port) {
        const PfcSettings& pfc = read.settings.ports[port].pfc;
        return std::pair(pfc.xoff / 1024, pfc.xon / 1024);
    };
    EXPECT_EQ(levels(0), std::pair(128_B, 64_B));
    EXPECT_EQ(levels(1), std::pair(252_B, 126_B));
    EXPECT_EQ(levels(2), std::pair(100_B, 50_B));
    EXPECT_EQ(levels(3), std::pair(252_B, 10_B));
    EXPECT_EQ(levels(4), std::pair(10_B, 9_B));
    EXPECT_EQ(levels(5), std::pair(326_B, 200_B));
}

TEST(Loader, GivesPortsWhatDefaultsSayUnlessTheySayOtherwise) {
    const Configuration read = loaded(
        "defaults:\n"
        "  rate: 1G\n"
        "  lossless: [3]\n"
        "  pfc: {xoff: 100KiB, xon: 50KiB, watchdog: {action: drop, poll: 10ms}}\n"
        "  ecn: {0: {low: 1KiB, high: 2KiB, probability: 1}}\n"
        "  scheduler: {wrr: {1: 2}}\n"
        "ports:\n"
        "  - device: ring:a\n"
        "  - device: ring:b\n"
        "    rate: 0\n"
        "    lossless: []\n"
        "    pfc: {xon: 10KiB, watchdog: {action: alert}}\n"
        "    scheduler: {dwrr: {2: 3}}\n"
        "    ecn: {1: {low: 1KiB, high: 3KiB, probability: 1}}\n");
    const auto& ports = read.settings.ports;
    ASSERT_EQ(ports.size(), 2U);
    EXPECT_EQ(ports[0].rate.count(), 1'000'000'000);
    EXPECT_EQ(ports[1].rate.count(), 0);
    EXPECT_EQ(ports[0].pfc.lossless, 0b1000);
    EXPECT_EQ(ports[1].pfc.lossless, 0);
    EXPECT_EQ(ports[1].pfc.xoff, 100_KiB);
    EXPECT_EQ(ports[1].pfc.xon, 10_KiB);
    EXPECT_EQ(ports[0].pfc.watchdog.action, WatchdogAction::drop);
    EXPECT_EQ(ports[1].pfc.watchdog.action, WatchdogAction::alert);
    EXPECT_EQ(ports[1].pfc.watchdog.poll, 10_ms);
    EXPECT_EQ(ports[0].ecn[0].high, 2_KiB);
    EXPECT_EQ(ports[1].ecn[0].high, 0_B);  // a table is taken whole
    EXPECT_EQ(ports[1].ecn[1].high, 3_KiB);
    EXPECT_EQ(ports[0].scheduler.discipline[1], Discipline::wrr);
    EXPECT_EQ(ports[1].scheduler.discipline[1], Discipline::strict);
    EXPECT_EQ(ports[1].scheduler.discipline[2], Discipline::dwrr);
}

TEST(Loader, SpreadsPortsOverWorkers) {
    const Configuration read = loaded(
        "ports:\n"
        "  - device: ring:a\n"
        "  - device: ring:b\n"
        "  - device: ring:c\n"
        "  - {device: ring:d, worker: 0}\n"
        "  - device: ring:e\n"
        "workers: {count: 3, cores: [4, 6, 8], idle: poll, burst: 64}\n");
    EXPECT_EQ(read.settings.workers, 3);
    std::string workers;
    for (const PortSettings& port : read.settings.ports) workers += std::to_string(port.worker);
    EXPECT_EQ(workers, "01201");
    EXPECT_EQ(read.workers.cores, (std::vector<uint16_t>{4, 6, 8}));
    EXPECT_EQ(read.workers.idle, Idle::poll);
    EXPECT_EQ(read.workers.burst, 64);
}

TEST(Loader, ReadsHowAddressesAreLearned) {
    const Configuration read = loaded(
        "defaults: {fdb: {sticky: true}}\n"
        "ports: [{device: ring:a}, {device: ring:b, fdb: {sticky: false}}]\n"
        "fdb: {when_full: drop, moves: refuse}\n"
        "vlans:\n"
        "  - {id: 9, ports: [p0], learning: false}\n"
        "  - {id: 10, ports: [p0], flood_unknown: false}\n");
    EXPECT_TRUE(read.settings.ports[0].sticky);
    EXPECT_FALSE(read.settings.ports[1].sticky);
    EXPECT_EQ(read.settings.fdb.when_full, WhenFull::drop);
    EXPECT_EQ(read.settings.fdb.moves, Moves::refuse);
    EXPECT_TRUE(read.settings.vlan.unlearned[9] && !read.settings.vlan.unflooded[9]);
    EXPECT_TRUE(!read.settings.vlan.unlearned[10] && read.settings.vlan.unflooded[10]);
    EXPECT_EQ(read.settings.vlan.unlearned.count() + read.settings.vlan.unflooded.count(), 2U);
}

TEST(Loader, LearnsAndFloodsByDefault) {
    const Settings read = loaded(two_ports).settings;
    EXPECT_FALSE(read.ports[0].sticky);
    EXPECT_EQ(read.fdb.when_full, WhenFull::flood);
    EXPECT_EQ(read.fdb.moves, Moves::follow);
    EXPECT_TRUE(read.vlan.unlearned.none() && read.vlan.unflooded.none());
}

TEST(Loader, ReadsWhatAPortLetsIn) {
    const Configuration read = loaded(
        "defaults: {storm_control: {unit: frames, broadcast: 1K}}\n"
        "ports:\n"
        "  - {device: ring:a, isolated: true, storm_control: {multicast: 20}}\n"
        "  - {device: ring:b, storm_control: {unit: bits, broadcast: 10M, unknown_unicast: 1G}}\n");
    const StormControlSettings& first = read.settings.ports[0].storm_control;
    EXPECT_TRUE(read.settings.ports[0].isolated);
    EXPECT_TRUE(first.in_frames);
    EXPECT_EQ(first.rate, (std::array<int64_t, storm_control_kinds>{1000, 0, 20}));
    const StormControlSettings& second = read.settings.ports[1].storm_control;
    EXPECT_FALSE(read.settings.ports[1].isolated);
    EXPECT_FALSE(second.in_frames);
    EXPECT_EQ(second.rate,
              (std::array<int64_t, storm_control_kinds>{10'000'000, 1'000'000'000, 0}));
}

TEST(Loader, ReadsWhatPortsShare) {
    const Configuration read = loaded(
        two_ports +
        "buffer: {size: 1GiB, cell: 64, reserved: 2KiB, alpha: 1/8}\n"
        "fabric: {algorithm: serena, iterations: 4, quantum: 8KiB, bypass: false, slots: 64, "
        "rule: weighted, weights: [1, 2, 3, 4, 5, 6, 7, 15]}\n"
        "fdb:\n"
        "  capacity: 1048576\n"
        "  ageing: 0\n"
        "  static: [{vlan: 9, address: 02:00:00:00:00:01, port: p1}]\n"
        "vlans: [{id: 9, ports: [p0, p1]}, {id: 4094, ports: [p1]}, {id: 7, ports: []}]\n"
        "control: {socket: /tmp/s}\n"
        "metrics: {listen: '[::1]:9475'}\n");
    EXPECT_EQ(read.settings.buffer.size, 1024_MiB);
    EXPECT_EQ(read.settings.buffer.cell, 64_B);
    EXPECT_EQ(read.settings.buffer.reserved, 2_KiB);
    EXPECT_EQ(read.settings.buffer.alpha_128, 16U);
    EXPECT_EQ(read.settings.fabric.algorithm, MatchingAlgorithm::serena);
    EXPECT_EQ(read.settings.fabric.iterations, 4);
    EXPECT_EQ(read.settings.fabric.quantum, 8_KiB);
    EXPECT_FALSE(read.settings.fabric.bypass);
    EXPECT_EQ(read.settings.fabric.slots, 64);
    EXPECT_EQ(read.settings.fabric.rule, CrossbarRule::weighted);
    EXPECT_EQ(read.settings.fabric.weight[7], 15);
    EXPECT_EQ(read.settings.fdb.capacity, 1048576U);
    EXPECT_EQ(read.settings.fdb.ageing, 0_ns);
    ASSERT_EQ(read.settings.fdb.static_entries.size(), 1U);
    EXPECT_EQ(read.settings.fdb.static_entries[0].vlan, 9);
    EXPECT_EQ(read.settings.fdb.static_entries[0].port, 1);
    EXPECT_EQ(read.settings.fdb.static_entries[0].address, MacAddress{0x020000000001});
    EXPECT_TRUE(read.settings.vlan.filtering);
    EXPECT_EQ(read.settings.vlan.members[9], 0b11U);
    EXPECT_EQ(read.settings.vlan.members[4094], 0b10U);
    EXPECT_EQ(read.settings.vlan.members[1], 0U);
    EXPECT_EQ(read.control.socket, "/tmp/s");
    EXPECT_EQ(read.metrics.listen, "[::1]:9475");
}

TEST(Loader, RemembersWhereThingsStand) {
    const Configuration read = loaded(two_ports + "fdb:\n  capacity: 64\n");
    EXPECT_EQ(read.source.file, "x.yaml");
    EXPECT_EQ(read.source.position_of("fdb.capacity"), (Position{3, 13}));
    EXPECT_EQ(read.source.position_of("fdb.ageing"), (Position{3, 3}));
    EXPECT_EQ(read.source.position_of("ports[1].device"), (Position{1, 36}));
    EXPECT_EQ(read.source.position_of("ports[1].mtu"), (Position{1, 27}));
    EXPECT_EQ(read.source.position_of("buffer.size"), (Position{1, 1}));
}

TEST(Loader, ReportsAFileThatItCannotRead) {
    EXPECT_EQ(
        faults_of_file("/nowhere/x.yaml"),
        Lines{"/nowhere/x.yaml:1:1: file: cannot be read: No such file or directory; name a file "
              "that can be read"});
    EXPECT_EQ(faults_of_file("/"),
              Lines{"/:1:1: file: cannot be read: Is a directory; name a file that can be read"});
    EXPECT_EQ(faults_of_file("/dev/zero"),
              Lines{"/dev/zero:1:1: file: is larger than 1 MiB; name a configuration, not data"});
    EXPECT_EQ(faults_of_file("/dev/zero", FileKind::regular),
              Lines{"/dev/zero:1:1: file: is a pipe, device or directory, which is not read; name "
                    "a file that can be read"});
    EXPECT_EQ(faults_of_file("/dev/null"), Lines{"/dev/null:1:1: ports: is missing; write a list "
                                                 "of 1 to 64 ports, each a map with device"});
}

TEST(Loader, LoadsEveryExample) {
    std::size_t examples = 0;
    for (const auto& entry : std::filesystem::directory_iterator(CONFIG_FOLDER "/examples")) {
        EXPECT_EQ(faults_of_file(entry.path()), Lines{});
        ++examples;
    }
    EXPECT_GE(examples, 8U);
}

// A megabyte of the most expensive text must be read within the time that a person waits, and must
// not report more faults than a person reads.
TEST(Loader, EndsSoonWhateverItReads) {
    const auto expect_few_faults = [](const std::string& start, const std::string& item,
                                      const std::string& end = "") {
        std::string text = start;
        while (text.size() + item.size() + end.size() < largest_file) text += item;
        const std::size_t fault_count = faults_of(text + end).size();
        EXPECT_GT(fault_count, 0U) << start << item;
        EXPECT_LE(fault_count, Report::most_faults + 1) << start << item;
    };
    expect_few_faults("ports: [", "{},", "]");
    expect_few_faults("ports: [", "[],", "]");
    expect_few_faults("", "a: 1\n");
    expect_few_faults("fdb: {static: [", "{},", "]}");
    expect_few_faults("vlans: [", "{ports: [x]},", "]");
    expect_few_faults("defaults: {dscp_to_priority: {", "70: 9,", "}}");
    expect_few_faults("a: [&x 1,", "*x,", "]");
    expect_few_faults("a: [", "!t 1,", "]");
    expect_few_faults("ports: ", "x");
    expect_few_faults("", "x");
    expect_few_faults("", "? ");
    expect_few_faults("", "? [a]\n: 1\n");
    expect_few_faults("", "[");
    expect_few_faults("", "{");
    expect_few_faults("", "- ");
    expect_few_faults("a: \"", "\\x00", "\"");
}

TEST(Loader, BuildsFromADocumentWhatItBuildsFromItsText) {
    Report report("x.yaml");
    const auto document = read_document(two_ports, report);
    ASSERT_TRUE(document.has_value());
    const auto built = configuration_of(*document, report);
    ASSERT_TRUE(built.has_value());
    EXPECT_EQ(built->ports[1].name, "p1");
    EXPECT_EQ(built->source.file, "x.yaml");
}

TEST(Loader, BuildsNothingFromADocumentThatIsWrong) {
    Report report("x.yaml");
    const auto document = read_document("ports: [{device: 'ring:a', mtu: much}]", report);
    ASSERT_TRUE(document.has_value());
    EXPECT_FALSE(configuration_of(*document, report).has_value());
    const auto faults = report.take();
    ASSERT_EQ(faults.size(), 1U);
    EXPECT_EQ(faults[0].path, "ports[0].mtu");
}

TEST(Loader, TheQuantumFollowsTheLargestFrame) {
    const auto quantum_with = [](const std::string& text) {
        const auto loaded = load_text(text, "x.yaml");
        return loaded.has_value() ? loaded->settings.fabric.quantum : Bytes(0);
    };
    EXPECT_EQ(quantum_with("ports: [{device: ring:a, mtu: 4074}]\n"), 4_KiB);
    EXPECT_EQ(quantum_with("ports: [{device: ring:a}, {device: ring:b, mtu: 9000B}]\n"), 9022_B);
    EXPECT_EQ(quantum_with("ports: [{device: ring:a, mtu: 9000}]\nfabric: {quantum: 16KiB}\n"),
              16_KiB);
}

}  // namespace
}  // namespace sluice::config
