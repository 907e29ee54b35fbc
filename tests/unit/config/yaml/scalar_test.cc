#include "config/yaml/scalar.h"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::config {
namespace {

// `ok` or the complaint.
std::string parsed(const std::string& text, const Key& key) {
    const auto scalar = read_scalar(text, key);
    return scalar ? "ok" : scalar.error().what + "; " + scalar.error().remedy;
}

TEST(Scalar, KeepsToItsRange) {
    const Key size{.name = "mtu", .kind = Kind::size, .lowest = 68, .highest = 9702};
    const std::string remedy = "; write a size from 68B to 9702B in B, KiB, MiB or GiB";
    EXPECT_EQ(parsed("68", size), "ok");
    EXPECT_EQ(parsed("9702B", size), "ok");
    EXPECT_EQ(parsed("67", size), "\"67\" is out of range" + remedy);
    EXPECT_EQ(parsed("1GiB", size), "\"1GiB\" is out of range" + remedy);
    EXPECT_EQ(parsed("99999999999999999999", size),
              "\"99999999999999999999\" is out of range" + remedy);
    EXPECT_EQ(parsed("-1500", size), "\"-1500\" is negative" + remedy);
    EXPECT_EQ(parsed("0.3B", size), "\"0.3B\" is no whole number of octets" + remedy);
    EXPECT_EQ(parsed("1500 B", size), "\"1500 B\" is not a size" + remedy);
}

TEST(Scalar, MayBeZeroBesides) {
    const Key time{
        .name = "ageing", .kind = Kind::time, .lowest = 1000, .highest = 5000, .or_zero = true};
    EXPECT_EQ(parsed("0", time), "ok");
    EXPECT_EQ(parsed("0s", time), "ok");
    EXPECT_EQ(parsed("1ns", time),
              "\"1ns\" is out of range; write 0 or a time from 1us to 5us in ns, us, ms or s");
}

TEST(Scalar, MayHaveToBeAPowerOfTwo) {
    const Key cell{
        .name = "cell", .kind = Kind::size, .lowest = 1, .highest = 4096, .power_of_two = true};
    EXPECT_EQ(parsed("1", cell), "ok");
    EXPECT_EQ(parsed("4KiB", cell), "ok");
    EXPECT_EQ(
        parsed("96", cell),
        "\"96\" is not a power of two; write a power of two from 1B to 4KiB in B, KiB, MiB or GiB");
}

// If 0 is allowed besides a range, a value near 0 is not taken for 0.
TEST(Scalar, IsNotZeroBecauseItIsSmall) {
    const Key alpha{
        .name = "alpha", .kind = Kind::share, .lowest = 1, .highest = 128, .or_zero = true};
    EXPECT_EQ(parsed("0", alpha), "ok");
    EXPECT_EQ(parsed("0.001", alpha),
              "\"0.001\" is out of range; write 0 or a number from 1/128 to 1 such as 0.5 or 1/8");
}

TEST(Scalar, ProbabilitiesAreAboveZero) {
    const Key key{.name = "probability", .kind = Kind::probability, .lowest = 1, .highest = 65536};
    const std::string remedy = "; write a probability from 1/65536 to 1 such as 0.2 or 1/50";
    EXPECT_EQ(parsed("0.2", key), "ok");
    EXPECT_EQ(parsed("1", key), "ok");
    EXPECT_EQ(parsed("0", key), "\"0\" is out of range" + remedy);
    EXPECT_EQ(parsed("1.1", key), "\"1.1\" is out of range" + remedy);
    EXPECT_EQ(parsed("20%", key), "\"20%\" is not a probability" + remedy);
}

TEST(Scalar, LengthsHaveTheirUnit) {
    const Key key{.name = "cable", .kind = Kind::length, .lowest = 0, .highest = 100'000'000};
    const std::string remedy = "; write a length from 0 to 100km in mm, m or km";
    EXPECT_EQ(parsed("0", key), "ok");
    EXPECT_EQ(parsed("100km", key), "ok");
    EXPECT_EQ(parsed("101km", key), "\"101km\" is out of range" + remedy);
    EXPECT_EQ(parsed("5", key), "\"5\" is not a length" + remedy);
    EXPECT_EQ(parsed("0.1mm", key), "\"0.1mm\" is no whole number of millimetres" + remedy);
}

TEST(Scalar, BooleansAreTrueOrFalse) {
    const Key key{.name = "promiscuous", .kind = Kind::boolean};
    EXPECT_EQ(read_scalar("true", key)->number, 1);
    EXPECT_EQ(read_scalar("false", key)->number, 0);
    EXPECT_EQ(parsed("yes", key), "\"yes\" is neither true nor false; write true or false");
}

// Ansible and others write true in place of `on`.
TEST(Scalar, OnAndOffMayBeBooleans) {
    constexpr std::array<std::string_view, 3> choices = {"auto", "on", "off"};
    const Key edge{.name = "edge", .kind = Kind::choice, .choices = choices};
    const auto read = [&](const char* text) { return read_scalar(text, edge).value(); };
    EXPECT_EQ(read("true").number, 1);
    EXPECT_EQ(read("true").text, "on");
    EXPECT_EQ(read("false").number, 2);
    EXPECT_EQ(read("false").text, "off");
    EXPECT_EQ(read("on").text, "on");
    constexpr std::array<std::string_view, 2> others = {"none", "pfc"};
    const Key control{.name = "flow_control", .kind = Kind::choice, .choices = others};
    EXPECT_EQ(parsed("false", control), "\"false\" is not one of none, pfc; write none or pfc");
}

TEST(Scalar, ANumberAmongChoicesIsItHoweverItIsWritten) {
    constexpr std::array<std::string_view, 2> choices = {"0x8100", "0x88A8"};
    const Key tpid{.name = "tpid", .kind = Kind::choice, .choices = choices};
    for (const char* text : {"0x88A8", "0x88a8", "34984"}) {
        EXPECT_EQ(read_scalar(text, tpid)->number, 1) << text;
        EXPECT_EQ(read_scalar(text, tpid)->text, "0x88A8") << text;
    }
    EXPECT_EQ(parsed("34985", tpid),
              "\"34985\" is not one of 0x8100, 0x88A8; write 0x8100 or 0x88A8");
}

TEST(Scalar, DescriptorsAreAPowerOfTwo) {
    const Key key{.name = "rx_descriptors", .lowest = 128, .highest = 8192, .power_of_two = true};
    EXPECT_EQ(parsed("128", key), "ok");
    EXPECT_EQ(parsed("1000", key),
              "\"1000\" is not a power of two; write a power of two from 128 to 8192");
}

TEST(Scalar, DevicesHaveAKnownScheme) {
    const Key key{.name = "device", .kind = Kind::device};
    for (const std::string right :
         {"ring:x", "ring:x/a", "af_packet:veth0", "af_xdp:veth0,queues=2",
          "memif:/run/x.sock,client", "vhost:/run/vm.sock", "tap:sluice0", "pcap:in.pcap,out.pcap",
          "null:", "pci:0000:03:00.0", "vdev:net_null0,size=64"}) {
        EXPECT_EQ(parsed(right, key), "ok") << right;
    }
    EXPECT_EQ(parsed("veth0", key),
              "\"veth0\" has no scheme; write a device such as af_packet:veth0");
    EXPECT_EQ(parsed("", key), "\"\" has no scheme; write a device such as af_packet:veth0");
    EXPECT_EQ(parsed("af_pakcet:veth0", key),
              "\"af_pakcet\" is no scheme of a device; did you mean af_packet:");
    EXPECT_EQ(parsed("netmap:em0", key),
              "\"netmap\" is no scheme of a device; write one of ring, af_packet, af_xdp, memif, "
              "vhost, tap, "
              "pcap, null, pci, vxlan, srv6, mpls, vdev");
    EXPECT_EQ(parsed("af_xdp:", key),
              "\"af_xdp:\" lacks the device's name; write a device such as af_packet:veth0");
    EXPECT_EQ(parsed("ring:a\nb", key),
              "\"ring:a\\x0Ab\" is no name of a device; write up to 256 printable characters");
    EXPECT_NE(parsed("ring:" + std::string(252, 'x'), key), "ok");
}

TEST(Scalar, NamesAreShortWords) {
    const Key key{.name = "name", .kind = Kind::name};
    const std::string remedy =
        " is not a name; write a name of up to 32 letters, digits and . _ - /";
    EXPECT_EQ(parsed("Ethernet1/1.10_a-b", key), "ok");
    EXPECT_EQ(parsed("", key), "\"\"" + remedy);
    EXPECT_EQ(parsed("two words", key), "\"two words\"" + remedy);
    EXPECT_EQ(parsed("grün", key), "\"grün\"" + remedy);
    EXPECT_EQ(parsed(std::string(33, 'x'), key), '"' + std::string(33, 'x') + '"' + remedy);
}

TEST(Scalar, TextIsWhatCanBePrinted) {
    const Key key{.name = "text", .kind = Kind::text, .highest = 12};
    const std::string remedy = " is no such text; write printable text of up to 12 octets";
    EXPECT_EQ(parsed("two words", key), "ok");
    EXPECT_EQ(parsed("grün", key), "ok");
    EXPECT_EQ(parsed("", key), "\"\"" + remedy);
    EXPECT_EQ(parsed("a\x1B[2J", key), R"("a\x1B[2J")" + remedy);
    EXPECT_EQ(parsed("thirteen tall", key), "\"thirteen tall\"" + remedy);
}

TEST(Scalar, AddressesAreOfOneStation) {
    const Key key{.name = "address", .kind = Kind::address};
    EXPECT_EQ(read_scalar("02:00:00:00:00:01", key)->number, 0x020000000001);
    EXPECT_EQ(parsed("02:00", key),
              "\"02:00\" is not an address; write an address such as 02:00:00:00:00:01");
    EXPECT_EQ(
        parsed("01:80:c2:00:00:01", key),
        "01:80:c2:00:00:01 is the address of a group; write a station's, its first octet even");
    EXPECT_EQ(
        parsed("ff:ff:ff:ff:ff:ff", key),
        "ff:ff:ff:ff:ff:ff is the address of a group; write a station's, its first octet even");
    EXPECT_EQ(parsed("00:00:00:00:00:00", key),
              "00:00:00:00:00:00 is not the address of a station; write a station's");
}

TEST(Scalar, GroupsAreSeveralStations) {
    const Key key{.name = "address", .kind = Kind::group};
    const std::string remedy = "; write an address of a group such as 01:00:5e:01:02:03";
    EXPECT_EQ(read_scalar("01:00:5e:01:02:03", key)->number, 0x01005E010203);
    EXPECT_EQ(parsed("7", key), "\"7\" is not an address" + remedy);
    EXPECT_EQ(
        parsed("02:00:00:00:00:01", key),
        "02:00:00:00:00:01 is the address of a station; write a group's, its first octet odd");
    EXPECT_EQ(parsed("ff:ff:ff:ff:ff:ff", key),
              "ff:ff:ff:ff:ff:ff is broadcast or link-local" + remedy);
    EXPECT_EQ(parsed("01:80:c2:00:00:0e", key),
              "01:80:c2:00:00:0e is broadcast or link-local" + remedy);
}

TEST(Scalar, SocketsAreAbsoluteAndFitTheKernel) {
    const Key key{.name = "socket", .kind = Kind::socket};
    EXPECT_EQ(parsed("/run/sluice/sluice.sock", key), "ok");
    EXPECT_EQ(parsed("/" + std::string(106, 'x'), key), "ok");
    EXPECT_NE(parsed("/" + std::string(107, 'x'), key), "ok");
    EXPECT_EQ(
        parsed("sluice.sock", key),
        "\"sluice.sock\" is no path for a socket; write an absolute path of up to 107 octets");
}

TEST(Scalar, EndpointsAreAnAddressAndAPort) {
    const Key key{.name = "listen", .kind = Kind::endpoint};
    EXPECT_EQ(parsed("127.0.0.1:9475", key), "ok");
    EXPECT_EQ(parsed("[::]:80", key), "ok");
    EXPECT_EQ(parsed("localhost:9475", key),
              "\"localhost:9475\" is no address with a port; write an address and a port such as "
              "127.0.0.1:9475 or [::1]:9475");
}

}  // namespace
}  // namespace sluice::config
