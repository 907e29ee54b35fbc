#include "config/validate.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/unit/config/faults_of.h"

namespace sluice::config {
namespace {

TEST(Validate, NamesAreUniqueWrittenOrNot) {
    EXPECT_EQ(
        faults_of("ports:\n"
                  "  - {device: ring:a}\n"
                  "  - {device: ring:b, name: p0}\n"
                  "  - {device: ring:c, name: x}\n"
                  "  - {device: ring:d, name: x}\n"),
        (Lines{"x.yaml:3:28: ports[1].name: \"p0\" is taken by ports[0].name; give each port a "
               "name of its own",
               "x.yaml:5:28: ports[3].name: \"x\" is taken by ports[2].name; give each port a name "
               "of its own"}));
}

TEST(Validate, ADeviceIsOpenedOnce) {
    EXPECT_EQ(
        faults_of("ports:\n"
                  "  - device: ring:x/a\n"
                  "  - device: ring:x/b\n"
                  "  - device: \"null:\"\n"
                  "  - device: \"null:\"\n"
                  "  - device: af_packet:veth0\n"
                  "  - device: af_xdp:veth0,queues=2\n"
                  "  - device: ring:x/a\n"),
        (Lines{"x.yaml:7:13: ports[5].device: \"af_xdp:veth0,queues=2\" is taken by "
               "ports[4].device; open each device once",
               "x.yaml:8:13: ports[6].device: \"ring:x/a\" is taken by ports[0].device; open each "
               "device once"}));
}

TEST(Validate, WorkersExistAndHaveACoreEach) {
    EXPECT_EQ(
        faults_of("ports: [{device: ring:a, worker: 2}, {device: ring:b, worker: 1}]\n"
                  "workers: {count: 2, cores: [4]}\n"),
        (Lines{"x.yaml:1:34: ports[0].worker: there is no worker 2; write 0 to 1, or raise "
               "workers.count",
               "x.yaml:2:28: workers.cores: has 1 core for 2 workers; write one core a worker"}));
}

TEST(Validate, APortSharesInOneWay) {
    EXPECT_EQ(
        faults_of("ports:\n"
                  "  - device: ring:a\n"
                  "    scheduler: {strict: [7, 1], wrr: {0: 1, 1: 2}, dwrr: {2: 5}}\n"),
        (Lines{"x.yaml:3:29: ports[0].scheduler.strict[1]: traffic class 1 is under wrr as well; "
               "keep it in one of them",
               "x.yaml:3:58: ports[0].scheduler.dwrr: stands beside wrr; keep one of the two"}));
    // A priority that could not be read is nobody's.
    EXPECT_EQ(faults_of("ports: [{device: ring:a, scheduler: {strict: [0], wrr: {8: 1}}}]\n"),
              Lines{"x.yaml:1:57: ports[0].scheduler.wrr.8: \"8\" is out of range; write a whole "
                    "number from 0 to 7"});
    // A port's scheduler replaces the whole of defaults.scheduler.
    EXPECT_EQ(faults_of("defaults: {scheduler: {wrr: {0: 1}}}\n"
                        "ports: [{device: ring:a, scheduler: {dwrr: {0: 1}}}]\n"),
              Lines{});
}

TEST(Validate, XonIsNotAboveXoff) {
    EXPECT_EQ(
        faults_of("ports: [{device: ring:a, pfc: {xoff: 10KiB, xon: 11KiB}, lossless: [3]}]\n"),
        Lines{"x.yaml:1:50: ports[0].pfc.xon: xon of 11KiB is above xoff of 10KiB; write 10KiB or "
              "less, or a higher xoff"});
    EXPECT_EQ(faults_of("ports: [{device: ring:a, pfc: {xoff: 10KiB}, lossless: [3]}]\n"), Lines{});
    EXPECT_EQ(
        faults_of("ports: [{device: ring:a, pfc: {xoff: 64KiB, xon: 64KiB}, lossless: [3]}]\n"),
        Lines{});
}

// A default XOFF is above any configured XON.
TEST(Validate, XonIsFreeWhereXoffIsNotWritten) {
    EXPECT_EQ(faults_of("ports: [{device: ring:a, lossless: [3], pfc: {xon: 1MiB}}]\n"), Lines{});
}

TEST(Validate, TheWatchdogLooksAtLeastOnceADetection) {
    EXPECT_EQ(
        faults_of("defaults: {pfc: {watchdog: {detection: 100ms}}}\n" + two_ports),
        Lines{"x.yaml:1:40: defaults.pfc.watchdog.detection: poll of 200ms is above detection "
              "of 100ms; write 200ms or more, or a lower poll"});
    const auto polls = [](const std::string& time) {
        return faults_of("ports: [{device: ring:a, pfc: {watchdog: {poll: " + time +
                         "}}, lossless: [3]}]\n");
    };
    EXPECT_EQ(polls("201ms"),
              Lines{"x.yaml:1:49: ports[0].pfc.watchdog.poll: poll of 201ms is above detection of "
                    "200ms; write 200ms or less"});
    EXPECT_EQ(polls("200ms"), Lines{});
}

TEST(Validate, TheLongestRestorationIsNoShorterThanTheFirst) {
    const auto longest = [](const std::string& time) {
        return faults_of(
            "ports: [{device: ring:a, lossless: [3], pfc: {watchdog: "
            "{longest_restoration: " +
            time + "}}}]\n");
    };
    EXPECT_EQ(longest("199ms"),
              Lines{"x.yaml:1:79: ports[0].pfc.watchdog.longest_restoration: restoration of 200ms "
                    "is above longest_restoration of 199ms; write 200ms or more, or a lower "
                    "restoration"});
    EXPECT_EQ(longest("200ms"), Lines{});
    EXPECT_EQ(longest("0"), Lines{});
}

// Cells of 16 octets cost nothing: 1522 octets twice, 631 on the cable and 25,225 in 2018 ns.
TEST(Validate, HeadroomIsWhatTheLinkNeeds) {
    const std::string defaults =
        "defaults: {speed: 100G, lossless: [3], pfc: {cable: 5m, response: 2018ns}}\n"
        "buffer: {size: 256MiB, cell: 16}\n";
    EXPECT_EQ(
        faults_of(defaults + "ports: [{device: ring:a, pfc: {headroom: 12KiB}}]\n"),
        Lines{"x.yaml:3:42: ports[0].pfc.headroom: 12KiB is below the 29KiB that 100G over 5m with "
              "a response of 2018ns needs; write 29KiB or more, or a shorter pfc.response if the "
              "peer is that quick"});
    EXPECT_EQ(faults_of(defaults + "ports: [{device: ring:a, pfc: {headroom: 29KiB}}]\n"), Lines{});
    // Frames on the cable still arrive, even if the peer responds at once.
    EXPECT_EQ(
        faults_of(defaults + "ports: [{device: ring:a, pfc: {headroom: 12KiB, cable: 1.5km}}]\n"),
        Lines{"x.yaml:3:42: ports[0].pfc.headroom: 12KiB is below the 213KiB that 100G over 1500m "
              "with a response of 2018ns needs; write 213KiB or more"});
    // A port without a lossless priority needs none.
    EXPECT_EQ(faults_of(defaults + "ports: [{device: ring:a, lossless: [], pfc: {headroom: 0}}]\n"),
              Lines{});
    // The headroom is not checked: the cable that it depends on has a fault already.
    EXPECT_EQ(faults_of("ports: [{device: ring:a, lossless: [3], pfc: {headroom: 0, cable: 5}}]\n"),
              Lines{"x.yaml:1:67: ports[0].pfc.cable: \"5\" is not a length; write a length from 0 "
                    "to 40000km in mm, m or km"});
}

// 10 ms at 100G are 125 MB, and as much is under way when the pause arrives.
TEST(Validate, HeadroomIsWhatARelayNeeds) {
    const std::string defaults =
        "defaults: {speed: 100G, lossless: [3], pfc: {response: 2018ns, relay_delay: 10ms}}\n"
        "buffer: {size: 1GiB, cell: 16}\n";
    EXPECT_EQ(
        faults_of(defaults + "ports: [{device: ring:a, pfc: {headroom: 122071KiB}}]\n"),
        Lines{"x.yaml:3:42: ports[0].pfc.headroom: 122071KiB is below the 244169KiB that 100G over "
              "5m with a response of 2018ns and a relay delay of 10ms needs; write 244169KiB or "
              "more"});
    EXPECT_EQ(faults_of(defaults + "ports: [{device: ring:a, pfc: {headroom: 244169KiB}}]\n"),
              Lines{});
    EXPECT_EQ(faults_of(defaults + "ports: [{device: ring:a, pfc: {cable: 40000km}}]\n").size(), 1U)
        << "the buffer is too small for that";
    EXPECT_EQ(faults_of("ports: [{device: ring:a, pfc: {relay_delay: 1ms}}]\n").size(), 1U)
        << "without lossless priorities";
}

TEST(Validate, EcnHasARangeThatIsBelowXoff) {
    const auto ecn = [](const std::string& marking) {
        return "ports:\n"
               "  - device: ring:a\n"
               "    lossless: [3]\n"
               "    pfc: {xoff: 100KiB}\n"
               "    ecn: {" +
               marking + "}\n";
    };
    EXPECT_EQ(faults_of(ecn("3: {low: 99KiB, high: 100KiB, probability: 1}")), Lines{});
    EXPECT_EQ(faults_of(ecn("3: {low: 10KiB, high: 10KiB, probability: 0.2}")),
              Lines{"x.yaml:5:33: ports[0].ecn.3.high: high of 10KiB is not above low of 10KiB; "
                    "write more than 10KiB, or a lower low"});
    EXPECT_EQ(faults_of(ecn("3: {low: 10KiB, high: 101KiB, probability: 0.2}")),
              Lines{"x.yaml:5:33: ports[0].ecn.3.high: high of 101KiB is above pfc.xoff of 100KiB, "
                    "so PFC stops priority 3 before ECN slows it down; write 100KiB or less, or a "
                    "higher pfc.xoff"});
    // PFC does not stop a lossy priority.
    EXPECT_EQ(faults_of(ecn("4: {low: 10KiB, high: 101KiB, probability: 0.2}")), Lines{});
    EXPECT_EQ(faults_of(ecn("4: {low: 1KiB, high: 9KiB, probability: 1, drop: true}")), Lines{});
    EXPECT_EQ(faults_of(ecn("3: {low: 1KiB, high: 9KiB, probability: 1, drop: true}")),
              Lines{"x.yaml:5:60: ports[0].ecn.3.drop: is not supported for priority 3, which is "
                    "lossless; leave it out, or remove the priority from lossless"});
}

TEST(Validate, AFrameFitsTheQuantum) {
    EXPECT_EQ(faults_of("ports: [{device: ring:a, mtu: 9000}]\n"), Lines{});  // it follows
    EXPECT_EQ(faults_of("defaults: {mtu: 9000}\n" + two_ports + "fabric: {quantum: 9000}\n"),
              Lines{"x.yaml:3:19: fabric.quantum: 9000B is below the 9022B of a frame with mtu "
                    "9000; write 9022B or more, or leave it out"});
}

TEST(Validate, TheBufferHoldsMoreThanWhatIsSetAside) {
    // A frame of 1522 octets is charged 1536.
    const std::string ports =
        "defaults: {lossless: [3, 4], pfc: {headroom: 1MiB, reserved: 512}}\n" + two_ports +
        "buffer:\n";
    EXPECT_EQ(
        faults_of(ports + "  reserved: 1KiB\n"  // 2 x 2 x 8 of them, and 4 lossless priorities
                          "  size: 4136KiB\n"),
        Lines{"x.yaml:5:9: buffer.size: 4136KiB leaves nothing to share: 32KiB is reserved in 32 "
              "VOQs, and 4104KiB for headroom, reserve and a frame each of 4 lossless priorities; "
              "write more than 4136KiB, or reserve less"});
    EXPECT_EQ(faults_of(ports + "  reserved: 1KiB\n  size: 4137KiB\n"), Lines{});
    EXPECT_EQ(faults_of(one_port + "buffer: {reserved: 1GiB}\n"),
              Lines{"x.yaml:2:20: buffer.reserved: a buffer.size of 16MiB leaves nothing to share: "
                    "8GiB is reserved in 8 VOQs, and 0 for headroom, reserve and a frame each of 0 "
                    "lossless priorities; write a buffer.size above 8GiB, or reserve less"});
    // Calculated headroom is reserved as well: 100 km of cable hold 12 MiB, and short frames take
    // three times that in cells of 256 octets.
    EXPECT_EQ(
        faults_of("defaults: {speed: 100G, lossless: [3], pfc: {cable: 100km}}\n" + two_ports),
        Lines{"x.yaml:1:1: buffer.size: 16MiB leaves nothing to share: 0 is reserved in 32 VOQs, "
              "and 76839KiB for headroom, reserve and a frame each of 2 lossless priorities; write "
              "more than 76839KiB, or reserve less"});
}

TEST(Validate, TheBufferCanBeKeptAccountOf) {
    EXPECT_EQ(faults_of(one_port + "buffer: {size: 4GiB, cell: 64}\n"), Lines{});
    EXPECT_EQ(
        faults_of(one_port + "buffer: {size: 4GiB, cell: 1}\n"),
        Lines{
            "x.yaml:2:28: buffer.cell: 306783378 frames fit a buffer.size of 4GiB in cells of 1B, "
            "but at most 67108864 can be tracked; write 64B or more, or a smaller buffer.size"});
    EXPECT_EQ(faults_of(one_port + "buffer: {size: 1GiB, cell: 16}\n"), Lines{});
    EXPECT_EQ(faults_of(one_port + "buffer: {size: 896MiB, cell: 1}\n"), Lines{});  // 14 a frame
    EXPECT_EQ(
        faults_of(one_port + "buffer: {size: 897MiB, cell: 1}\n"),
        Lines{
            "x.yaml:2:30: buffer.cell: 67183762 frames fit a buffer.size of 897MiB in cells of 1B, "
            "but at most 67108864 can be tracked; write 16B or more, or a smaller buffer.size"});
}

TEST(Validate, VlansNamePortsThatExist) {
    EXPECT_EQ(
        faults_of("ports: [{name: left, device: ring:a}, {device: ring:b}]\n"
                  "vlans:\n"
                  "  - {id: 10, ports: [left, p1]}\n"
                  "  - {id: 10, ports: [lefd]}\n"
                  "  - {id: 4095, ports: [router, left, left]}\n"),
        (Lines{"x.yaml:4:10: vlans[1].id: VLAN 10 is already at vlans[0].id; list its ports in one "
               "place",
               "x.yaml:4:22: vlans[1].ports[0]: no port is called \"lefd\"; did you mean left",
               "x.yaml:5:10: vlans[2].id: \"4095\" is out of range; write a whole number from 1 to "
               "4094",
               "x.yaml:5:24: vlans[2].ports[0]: no port is called \"router\"; write the name of a "
               "port",
               "x.yaml:5:38: vlans[2].ports[2]: left is listed twice; keep one"}));
}

TEST(Validate, StaticEntriesLeadToAPortInTheirVlan) {
    EXPECT_EQ(
        faults_of(two_ports + "vlans: [{id: 10, ports: [p0]}]\n"
                              "fdb:\n"
                              "  static:\n"
                              "    - {vlan: 10, address: 02:00:00:00:00:01, port: p0}\n"
                              "    - {vlan: 10, address: 02-00-00-00-00-01, port: p0}\n"
                              "    - {vlan: 10, address: 02:00:00:00:00:02, port: p1}\n"
                              "    - {address: 01:80:c2:00:00:00, port: p7}\n"
                              "    - {port: p0}\n"),
        (Lines{
            "x.yaml:6:27: fdb.static[1].address: VLAN 10 has it already at fdb.static[0].address; "
            "keep one: an address belongs to one port",
            "x.yaml:7:52: fdb.static[2].port: port p1 is not in VLAN 10; add it to that VLAN under "
            "vlans",
            "x.yaml:8:17: fdb.static[3].address: 01:80:c2:00:00:00 is the address of a group; "
            "write a "
            "station's, its first octet even",
            "x.yaml:8:42: fdb.static[3].port: no port is called \"p7\"; did you mean p0",
            "x.yaml:9:7: fdb.static[4].address: is missing; write an address such as "
            "02:00:00:00:00:01",
            "x.yaml:9:14: fdb.static[4].port: port p0 is not in VLAN 1; add it to that VLAN under "
            "vlans"}));
}

TEST(Validate, StaticEntriesFitTheTable) {
    std::string text = one_port + "fdb:\n  capacity: 64\n  static:\n";
    for (int entry = 10; entry < 75; ++entry) {
        text += "    - {address: 02:00:00:00:00:" + std::to_string(entry) + ", port: p0}\n";
    }
    EXPECT_EQ(
        faults_of(text),
        Lines{
            "x.yaml:5:5: fdb.static: 65 entries do not fit a capacity of 64; raise fdb.capacity"});
}

// One mistake is one fault: checks that depend on it are skipped, all others are made.
TEST(Validate, PassesOverWhatIsAtFaultAlready) {
    EXPECT_EQ(
        faults_of("ports:\n"
                  "  - {name: bad name, device: ring:a}\n"
                  "  - {device: ring:b, pfc: {xoff: 1KB, xon: 1GiB}, lossless: [3]}\n"
                  "  - {device: ring:b, mtu: x}\n"
                  "buffer: {size: lots, reserved: 1GiB}\n"
                  "vlans: [{id: 1, ports: [bad, p9]}]\n"),
        (Lines{"x.yaml:2:12: ports[0].name: \"bad name\" is not a name; write a name of up to 32 "
               "letters, digits and . _ - /",
               "x.yaml:3:34: ports[1].pfc.xoff: \"1KB\" is not a size; write a size from 0 to 1GiB "
               "in B, KiB, MiB or GiB",
               "x.yaml:4:14: ports[2].device: \"ring:b\" is taken by ports[1].device; open each "
               "device once",
               "x.yaml:4:27: ports[2].mtu: \"x\" is not a size; write a size from 68B to 9702B in "
               "B, KiB, MiB or GiB",
               "x.yaml:5:16: buffer.size: \"lots\" is not a size; write a size from 64KiB to 4GiB "
               "in B, KiB, MiB or GiB"}));
}

TEST(Validate, AllLosslessPortsPauseByOneTrigger) {
    EXPECT_EQ(faults_of("ports:\n"
                        "  - {device: ring:a, lossless: [3], pfc: {trigger: egress}}\n"
                        "  - {device: ring:b, lossless: [3], pfc: {trigger: ingress}}\n"
                        "  - {device: ring:c}\n"),
              (Lines{"x.yaml:3:52: ports[1].pfc.trigger: ingress where ports[0].pfc.trigger is "
                     "egress; write the same for all ports with lossless priorities"}));
}

}  // namespace
}  // namespace sluice::config
