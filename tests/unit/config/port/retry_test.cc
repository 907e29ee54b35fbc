#include "config/port/retry.h"

#include <gtest/gtest.h>

#include "config/loader.h"
#include "tests/unit/config/faults_of.h"

namespace sluice::config {
namespace {

Lines faults_with_retry(const std::string& more, const std::string& device = "ring:a") {
    return faults_of("ports: [{device: '" + device + "', lossless: [3], retry: {enabled: true}" +
                     more + "}]\n");
}
bool one_fault_says(const Lines& faults, const std::string& what) {
    return faults.size() == 1 && faults[0].find(what) != std::string::npos;
}

TEST(Retry, IsOffUnlessItIsEnabled) {
    const auto off = load_text("ports: [{device: ring:a}]\n", "x.yaml");
    ASSERT_TRUE(off.has_value());
    EXPECT_FALSE(off->settings.ports[0].retry.is_on);
    EXPECT_EQ(off->ports[0].in_front, Bytes(0));
    const auto on =
        load_text("ports: [{device: ring:a, lossless: [3], retry: {enabled: true}}]\n", "x.yaml");
    ASSERT_TRUE(on.has_value());
    EXPECT_EQ(on->settings.ports[0].retry,
              (RetrySettings{.is_on = true,
                             .resequence = RetrySettings{}.buffer,
                             .replay_timer = on->settings.ports[0].retry.replay_timer}));
    EXPECT_EQ(on->ports[0].in_front, Bytes(32)) << "which its device takes besides";
}

TEST(Retry, HasWhatIsWritten) {
    const auto read = load_text(
        "ports: [{device: ring:a, lossless: [3], retry: {enabled: true, buffer: 2MiB, "
        "resequence: 0, replay_timer: 1ms, replay_count_max: 3, data_age: 1s, init: block, flush: "
        "discard}}]\n",
        "x.yaml");
    ASSERT_TRUE(read.has_value());
    EXPECT_EQ(read->settings.ports[0].retry, (RetrySettings{.is_on = true,
                                                            .buffer = Bytes(2 * 1024 * 1024),
                                                            .replay_timer = Nanos(1'000'000),
                                                            .replay_count_max = 3,
                                                            .data_age = Nanos(1'000'000'000),
                                                            .init = RetryAction::block,
                                                            .flush = RetryAction::discard}));
}

Nanos timer_of(const std::string& more) {
    const auto read =
        load_text("ports: [{device: ring:a, lossless: [3], " + more + "}]\n", "x.yaml");
    return read ? read->settings.ports[0].retry.replay_timer : Nanos(0);
}

TEST(Retry, WaitsAsLongAsAnAcknowledgementMayTake) {
    const auto us = [](const std::string& more) { return timer_of(more).count() / 1000; };
    // A MiB takes 839 us at 10G; 5 m take 25 ns.
    EXPECT_EQ(us("speed: 10G, retry: {enabled: true}"), 1878);
    EXPECT_EQ(us("speed: 100G, retry: {enabled: true}"), 1123);
    EXPECT_EQ(us("retry: {enabled: true}"), 9428) << "the link may have 1G";
    EXPECT_EQ(us("speed: 10G, pfc: {cable: 100km, response: 1ms}, "
                 "retry: {enabled: true, buffer: 4MiB}"),
              7365);
    EXPECT_EQ(us("retry: {enabled: true, replay_timer: 7ms}"), 7000);
}

TEST(Retry, IsRefusedWhereItWouldDoNothing) {
    EXPECT_TRUE(one_fault_says(faults_of("ports: [{device: ring:a, retry: {enabled: true}}]\n"),
                               "retry.enabled: needs a lossless priority"));
    EXPECT_TRUE(one_fault_says(faults_of("ports: [{device: ring:a, retry: {buffer: 2MiB}}]\n"),
                               "without retry.enabled"));
    EXPECT_TRUE(one_fault_says(faults_with_retry(", lldp: {mode: tx}"), "lldp.mode: is tx"));
}

TEST(Retry, IsRefusedBesideWhatItCannotGoWith) {
    EXPECT_EQ(faults_with_retry(", flow_control: credit"), Lines{});
    EXPECT_EQ(faults_with_retry(", pfc: {link_pause: true}"), Lines{});
    EXPECT_TRUE(one_fault_says(faults_with_retry(", pfc: {by: nic}", "ring:a,queues=8"),
                               "pfc.by: nic bypasses retry"));
    EXPECT_TRUE(one_fault_says(faults_with_retry(", lanes: [0, 0]", "ring:a,queues=2"), "lanes"));
    EXPECT_TRUE(one_fault_says(
        faults_of("ports: [{name: a, device: ring:a, lossless: [3], retry: {enabled: true}}]\n"
                  "aggregations: [{name: both, ports: [a]}]\n"),
        "retry.enabled: not supported on a member of both"));
    EXPECT_TRUE(one_fault_says(faults_with_retry(", underlay: {address: 192.0.2.1/24}"),
                               "underlay: cannot be combined with retry: frames of tunnels bypass "
                               "it; leave it out, or write retry at its tunnels"));
}

TEST(Retry, HasRoomForSomeOfItsFrames) {
    EXPECT_EQ(faults_of("ports: [{device: ring:a, lossless: [3], retry: {enabled: true, buffer: "
                        "64KiB}}]\n"),
              Lines{});
    EXPECT_TRUE(one_fault_says(
        faults_of("ports: [{device: ring:a, mtu: 9000, lossless: [3], retry: {enabled: true, "
                  "buffer: 64KiB, resequence: 1MiB}}]\n"),
        "retry.buffer: 64KiB holds fewer than 16 frames of mtu 9000"));
    EXPECT_TRUE(one_fault_says(
        faults_of("ports: [{device: ring:a, mtu: 9000, lossless: [3], retry: {enabled: true, "
                  "resequence: 64KiB}}]\n"),
        "retry.resequence: 64KiB holds fewer than 16 frames of mtu 9000"));
}

// A tunnel by a port with an address, with `more` of it.
std::string over_a_port(const std::string& device, const std::string& more,
                        const std::string& mtu = "1640") {
    return "ports:\n"
           "  - {name: wan, device: ring:a, mtu: " +
           mtu +
           ", underlay: {address: 192.0.2.1/24, address6: '2001:db8:1::1/64'}}\n"
           "  - {name: far, device: '" +
           device + "', retry: {enabled: true}" + more + "}\n";
}

TEST(Retry, GoesThroughATunnelToOne) {
    const std::string lossless = ", lossless: [3]";
    EXPECT_EQ(faults_of(over_a_port("vxlan:wan/192.0.2.2/7", lossless)), Lines{});
    EXPECT_EQ(faults_of(over_a_port("vxlan:wan/2001:db8:1::2/7", lossless)), Lines{});
    EXPECT_EQ(faults_of(over_a_port("srv6:wan/2001:db8:1::d2",
                                    lossless + ", local_sid: '2001:db8:1::d1'")),
              Lines{});
    EXPECT_EQ(faults_of(over_a_port("mpls:wan/16", lossless + ", local_label: 17, next_hop: "
                                                              "02:00:00:00:00:02")),
              Lines{});
    EXPECT_TRUE(faults_of(over_a_port("vxlan:wan/7", ", remotes: [192.0.2.2], lossless: [3]"))
                    .front()
                    .find("not supported on point-to-multipoint tunnels") != std::string::npos);
}

TEST(Retry, CountsAmongWhatIsAroundTheFramesOfATunnel) {
    const auto read =
        load_text(over_a_port("vxlan:wan/192.0.2.2/7", ", lossless: [3]", "1590"), "x.yaml");
    ASSERT_TRUE(read.has_value());
    EXPECT_EQ(read->ports[1].mtu, Bytes(1500)) << "and 58 around it without";
    EXPECT_TRUE(one_fault_says(
        faults_of(over_a_port("vxlan:wan/192.0.2.2/7", ", mtu: 1501, lossless: [3]", "1590")),
        "1501 and the 90 octets around it do not fit the mtu of 1590 of wan; write 1500 or less, "
        "or mtu: 1591 or more there"));
}

}  // namespace
}  // namespace sluice::config
