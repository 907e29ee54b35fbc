#include "config/port/pause_bits.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/unit/config/faults_of.h"

namespace sluice::config {
namespace {

constexpr PrioritySet bit(unsigned number) { return static_cast<PrioritySet>(1U << number); }

// Returns the bits of the first port; `others` are further ports.
PauseBits bits_of(const std::string& port, const std::string& others = "") {
    auto configuration =
        load_text("ports:\n- {device: 'ring:a', lossless: [3], " + port + "}\n" + others, "x.yaml");
    if (!configuration) {
        ADD_FAILURE() << lines_of(configuration.error()).front();
        return {};
    }
    return configuration->settings.ports[0].pfc.bits;
}
std::string fault_of(const std::string& port, const std::string& lossless = "[3]") {
    const Lines lines =
        faults_of("ports:\n- {device: 'ring:a', lossless: " + lossless + ", " + port + "}\n");
    return lines.size() == 1 ? lines[0] : std::to_string(lines.size()) + " faults";
}
bool has(const std::string& line, const std::string& part) {
    return line.find(part) != std::string::npos;
}

TEST(PauseBits, AreOwnNumbersByDefault) {
    EXPECT_EQ(bits_of("mtu: 1500"), PauseBits{});
    EXPECT_EQ(bits_of("profile: paxi"), PauseBits{});
    EXPECT_EQ(bits_of("profile: roce_v2"), PauseBits{});
    EXPECT_EQ(bits_of("trust: [dscp], dscp_to_priority: {26: 3}"), PauseBits{});
}

TEST(PauseBits, SentAreThePcpsOfAPriority) {
    const PauseBits bits = bits_of("pcp_to_priority: [0, 1, 2, 3, 4, 3, 6, 7]");
    EXPECT_EQ(bits.sent[3], bit(3) | bit(5));
    EXPECT_EQ(bits.sent[5], bit(5));  // no frame has it
    EXPECT_EQ(bits.sent[4], bit(4));
    const PauseBits paxi = bits_of("profile: paxi_minimal");
    EXPECT_EQ(paxi.sent[3], bit(5) | bit(6) | bit(7));
    EXPECT_EQ(paxi.sent[0], bit(0) | bit(2));
}

TEST(PauseBits, ReceivedAreThePcpsThatFramesLeaveWith) {
    const PauseBits bits = bits_of("remark: {pcp: {3: 5}}");
    EXPECT_EQ(bits.received[5], bit(3) | bit(5));
    EXPECT_EQ(bits.received[3], bit(3));  // frames without a tag, and floods
    const PauseBits swapped = bits_of("remark: {pcp: {3: 5, 5: 3}}");
    EXPECT_EQ(swapped.received[5], bit(3));
    EXPECT_EQ(swapped.received[3], bit(5));
}

// Frames that are not remarked leave as they came, by whichever port.
TEST(PauseBits, ReceivedFollowWhatOtherPortsMap) {
    const PauseBits bits =
        bits_of("mtu: 1500", "- {device: 'ring:b', pcp_to_priority: [0, 1, 2, 3, 4, 3, 6, 7]}\n");
    EXPECT_EQ(bits.received[5], bit(3) | bit(5));
    EXPECT_EQ(bits.received[3], bit(3));
    EXPECT_EQ(bits.sent, PauseBits::own_numbers);
}

TEST(PauseBits, ReceivedFollowTheTagsBelowTunnels) {
    const PauseBits bits = bits_of("underlay: {address: 198.51.100.1/24, vlan: 9, pcp: {3: 6}}",
                                   "- {device: 'vxlan:p0/198.51.100.2/7'}\n");
    EXPECT_EQ(bits.received[6], bit(3) | bit(6));
    EXPECT_EQ(bits.received[3], bit(3));
}

TEST(PauseBits, AreWhatIsWritten) {
    const PauseBits bits = bits_of(
        "pcp_to_priority: [0, 1, 2, 3, 4, 3, 6, 7], "
        "pfc: {bits: {sent: [0, 1, 2, 0, 3, 3, 6, 7], received: {3: 4}}}");
    EXPECT_EQ(bits.sent[3], bit(4) | bit(5));
    EXPECT_EQ(bits.received[4], bit(3) | bit(4));
    EXPECT_EQ(bits.received[3], 0);
}

TEST(PauseBits, OfOneNumberAreOfOnePriority) {
    const std::string map = "pcp_to_priority: [0, 1, 2, 0, 4, 3, 6, 7]";
    EXPECT_EQ(bits_of(map).sent[3], bit(5));
    const std::string fault = fault_of(map + ", dscp_to_priority: {26: 3}");
    EXPECT_TRUE(has(fault,
                    "ports[0].pcp_to_priority: makes PCP 3 priority 0, and "
                    "dscp_to_priority makes frames without a PCP priority 3"))
        << fault;
    EXPECT_TRUE(has(fault, "map PCP 3 to 3, or write in pfc.bits.sent")) << fault;
    EXPECT_TRUE(has(fault_of(map + ", default_priority: 3"), "default_priority makes")) << fault;
    EXPECT_TRUE(
        has(fault_of(map + ", application: [{selector: ethertype, protocol: 35078, priority: 3}]"),
            "application makes"));
    EXPECT_EQ(fault_of(map + ", dscp_to_priority: {26: 3}", "[6]"), "0 faults");
    EXPECT_EQ(bits_of(map + ", dscp_to_priority: {26: 3}, "
                            "pfc: {bits: {sent: [0, 1, 2, 3, 4, 3, 6, 7]}}")
                  .sent[3],
              bit(3) | bit(5));
}

TEST(PauseBits, OfLosslessPrioritiesAreNamed) {
    EXPECT_TRUE(has(fault_of("pfc: {bits: {sent: [0, 1, 2, 2, 4, 5, 6, 7]}}"),
                    "ports[0].pfc.bits.sent: has no bit for lossless priority 3"));
    EXPECT_TRUE(has(fault_of("pfc: {bits: {sent: [0, 1, 2, 3, 4, 5, 6, 7]}}", "[]"), "0 faults"));
    const Lines unused =
        faults_of("ports:\n- {device: 'ring:a', pfc: {bits: {received: {3: 5}}}}\n");
    ASSERT_EQ(unused.size(), 1U);
    EXPECT_TRUE(has(unused[0], "has no meaning without lossless priorities"));
}

// A NIC knows priorities by their PCPs, and so does DCBX.
TEST(PauseBits, AreThoseOfANicAndOfDcbx) {
    const std::string map = "pcp_to_priority: [0, 1, 2, 3, 4, 3, 6, 7]";
    const auto by_nic = [](const std::string& more) {
        return faults_of("ports:\n- {device: 'ring:a,queues=8', lossless: [3], pfc: {by: nic}, " +
                         more + "}\n");
    };
    EXPECT_EQ(by_nic("pcp_to_priority: [0, 1, 2, 3, 5, 4, 6, 7]"), Lines{});
    for (const std::string& more : {map, std::string("remark: {pcp: {3: 5}}")}) {
        const Lines lines = by_nic(more);
        ASSERT_EQ(lines.size(), 1U) << more;
        EXPECT_TRUE(has(lines[0], "another number on the wire")) << lines[0];
    }
    EXPECT_TRUE(has(fault_of(map + ", dcbx: {willing: [application]}"),
                    "leave it out and write application, or"));
    EXPECT_TRUE(has(fault_of(map + ", dcbx: {willing: [pfc]}"),
                    "dcbx.willing[0]: follows the peer, which counts by PCP"));
    for (const std::string& key : {std::string("defend"), std::string("hold")}) {
        EXPECT_TRUE(has(fault_of(map + ", dcbx: {mode: draft0409, " + key + ": true}"),
                        "dcbx." + key + ": asks the peer, which counts by PCP"));
    }
    // Swapped PCPs of priorities that no peer can make lossless are accepted.
    const std::string others =
        "pcp_to_priority: [1, 0, 2, 3, 4, 5, 6, 7], dcbx: {mode: draft0409, ";
    EXPECT_EQ(bits_of(others + "willing: [ets], defend: true}").sent[3], bit(3));
    EXPECT_TRUE(has(fault_of(others + "willing: [pfc]}"), "dcbx.willing[0]: follows the peer"));
}

}  // namespace
}  // namespace sluice::config
