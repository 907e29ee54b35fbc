#include "control/lldp/lldpdu.h"

#include <gtest/gtest.h>

#include "tests/unit/control/lldp/frames.h"

namespace sluice::lldp {
namespace {

using test::hex;

// Chassis ID: MAC address; Port ID: interface name "p0"; TTL 121.
constexpr std::string_view who = "0207 04 0200000000FF  0403 05 7030  0602 0079 ";

std::string with(std::string_view more) { return std::string(who) + std::string(more); }

std::optional<Lldpdu> read(std::string_view octets) {
    TlvCounts counts;
    return read_lldpdu(hex(octets), counts);
}

// Returns the counts of a valid frame.
TlvCounts counted(std::string_view more) {
    TlvCounts counts;
    EXPECT_TRUE(read_lldpdu(hex(with(more)), counts)) << more;
    return counts;
}
uint64_t discarded(std::string_view more) { return counted(more).discarded; }
uint64_t unrecognized(std::string_view more) { return counted(more).unrecognized; }

constexpr std::string_view everything =
    "0207 04 0200000000FF"                // Chassis ID, MAC address
    "0403 05 7030"                        // Port ID, interface name p0
    "0602 0079"                           // TTL 121
    "0806 75706C696E6B"                   // Port Description: uplink
    "0A03 737731"                         // System Name: sw1
    "0C06 536C75696365"                   // System Description: Sluice
    "0E04 0004 0004"                      // System Capabilities: bridge, enabled
    "100C 05 01 C0000201 01 00000000 00"  // Management Address 192.0.2.1
    "101A 11 02 20010DB8000000000000000000000001 02 00000007 02 2B06"  // and an IPv6, with an OID
    "FE06 0080C2 0B 0808"                                              // PFC Configuration
    "0000";

Lldpdu all_of_it() {
    return {.chassis_id = hex("04 0200000000FF"),
            .port_id = hex("05 7030"),
            .ttl = 121,
            .port_description = "uplink",
            .system_name = "sw1",
            .system_description = "Sluice",
            .capabilities = Capabilities{bridge_capability, bridge_capability},
            .management_addresses = {{.family = ipv4_family, .address = hex("C0000201")},
                                     {.family = ipv6_family,
                                      .address = hex("20010DB8 00000000 00000000 00000001"),
                                      .interface_numbering = 2,
                                      .interface_number = 7,
                                      .object_id = hex("2B06")}},
            .organisational = {{0x0080C2, 11, hex("0808")}}};
}

TEST(Lldpdu, writes_what_the_standard_says) {
    Octets octets;
    EXPECT_TRUE(write_lldpdu(all_of_it(), longest_lldpdu, octets));
    EXPECT_EQ(octets, hex(everything));
}

TEST(Lldpdu, reads_what_it_writes) {
    TlvCounts counts;
    EXPECT_EQ(read_lldpdu(hex(everything), counts), all_of_it());
    EXPECT_EQ(counts.discarded + counts.unrecognized, 0U);
}

TEST(Lldpdu, shuts_down_with_ids_and_a_ttl_of_0) {
    Octets octets;
    write_shutdown(all_of_it(), octets);
    EXPECT_EQ(octets, hex("0207 04 0200000000FF 0403 05 7030 0602 0000 0000"));
}

TEST(Lldpdu, needs_no_end_and_ignores_what_is_behind_one) {
    EXPECT_TRUE(read(who));
    EXPECT_TRUE(read(with("0000 FFFFFFFF")));
    EXPECT_TRUE(read(with("0001 FF 0A01 61")));
    EXPECT_FALSE(read(with("0001 FF 0A01 61"))->system_name);
}

TEST(Lldpdu, begins_with_chassis_port_and_ttl) {
    for (const char* octets : {
             "", "02", "0000",
             "0403 05 7030 0207 04 0200000000FF 0602 0079",          // the wrong way round
             "0207 04 0200000000FF 0602 0079 0403 05 7030",          // likewise
             "0207 04 0200000000FF 0403 05 7030",                    // no TTL
             "0207 04 0200000000FF 0403 05 7030 0601 79",            // half a TTL
             "0207 04 0200000000FF 0403 05 7030 0602 00",            // likewise, at the end
             "0207 04 0200000000FF 0A01 61 0403 05 7030 0602 0079",  // a name in between
             "0200 0403 05 7030 0602 0079",                          // a chassis without an id
             "0201 04 0403 05 7030 0602 0079",                       // likewise
             "0207 04 0200000000FF 0401 05 0602 0079",               // a port likewise
         }) {
        EXPECT_FALSE(read(octets)) << octets;
    }
}

TEST(Lldpdu, takes_ids_of_up_to_255_octets) {
    const auto with_chassis_of = [](std::size_t octets) {
        Lldpdu lldpdu = all_of_it();
        lldpdu.chassis_id.assign(1 + octets, 7);
        Octets written;
        write_lldpdu(lldpdu, longest_lldpdu, written);
        TlvCounts counts;
        return read_lldpdu(written, counts).has_value();
    };
    EXPECT_TRUE(with_chassis_of(255));
    EXPECT_FALSE(with_chassis_of(256));
}

TEST(Lldpdu, refuses_a_second_chassis_port_or_ttl) {
    EXPECT_FALSE(read(with("0207 04 0200000000FF")));
    EXPECT_FALSE(read(with("0403 05 7030")));
    EXPECT_FALSE(read(with("0602 0079 0000")));
}

TEST(Lldpdu, refuses_a_tlv_that_ends_behind_the_frame) {
    EXPECT_FALSE(read(with("0A")));
    EXPECT_FALSE(read(with("0A03 6161")));
    EXPECT_FALSE(read(with("FFFF 0080C2 0B 0808")));
}

TEST(Lldpdu, leaves_out_and_counts_a_tlv_with_a_fault) {
    EXPECT_EQ(discarded("0E03 000400"), 1U);  // capabilities without half
    EXPECT_EQ(discarded("FE03 0080C2"), 1U);  // no subtype
    EXPECT_EQ(discarded("FE00"), 1U);         // nothing at all
    EXPECT_EQ(discarded("1000"), 1U);         // a management address of nothing
    EXPECT_EQ(discarded("100B 01 01 01 00000000 00 000000"), 1U);  // with an address of nothing
    EXPECT_EQ(discarded("1009 21 01 01 00000000 00 00"), 1U);      // longer than it
    EXPECT_EQ(discarded("1009 03 01 C000 01 00000000"), 1U);       // without an object id's length
    EXPECT_EQ(discarded("100A 03 01 C000 01 00000000 02"), 1U);    // with half of one
    EXPECT_EQ(discarded("0A01 61 0A01 62"), 1U);                   // two names
    EXPECT_EQ(read(with("0A01 61 0A01 62"))->system_name, "a");
    EXPECT_EQ(discarded("0A00"), 0U);  // an empty name is one
}

TEST(Lldpdu, takes_two_management_addresses) {
    const auto lldpdu =
        read(with("100C 05 01 C0000201 01 00000000 00 100C 05 01 C0000202 01 00000000 00"));
    ASSERT_TRUE(lldpdu);
    EXPECT_EQ(lldpdu->management_addresses.size(), 2U);
}

TEST(Lldpdu, skips_and_counts_what_it_does_not_know) {
    EXPECT_EQ(unrecognized("1200 FC03 010203 "), 2U);
    EXPECT_EQ(unrecognized("FE04 ABCDEF 01"), 1U);
    EXPECT_EQ(read(with("FE04 ABCDEF 01"))->organisational.size(), 1U);
    EXPECT_EQ(unrecognized("FE06 0080C2 0B 0808"), 0U);
    EXPECT_EQ(unrecognized("FE05 001B21 02 00"), 0U);
}

TEST(Lldpdu, leaves_out_the_last_that_do_not_fit) {
    Lldpdu lldpdu = all_of_it();
    lldpdu.organisational = {{0x0080C2, 1, Octets(400)}, {0x0080C2, 2, Octets(400)}};
    Octets octets{0xEE};
    EXPECT_FALSE(write_lldpdu(lldpdu, 523, octets));
    EXPECT_LE(octets.size(), 524U);
    TlvCounts counts;
    const auto read_back = read_lldpdu(std::span(octets).subspan(1), counts);
    ASSERT_TRUE(read_back);
    EXPECT_EQ(read_back->organisational.size(), 1U);
    EXPECT_EQ(read_back->system_name, "sw1");
}

}  // namespace
}  // namespace sluice::lldp
