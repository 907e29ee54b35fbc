#include "pmd_glue/capture_file.h"

#include <gtest/gtest.h>

#include <sstream>

namespace sluice::pmd {
namespace {

// Words of 32 and 16 bits in the order of octets that a machine writes.
class Octets {
  public:
    explicit Octets(bool big_endian = false) : big_endian_(big_endian) {}
    Octets& word(uint32_t value, int bits = 32) {
        for (int at = 0; at < bits; at += 8) {
            text += static_cast<char>(value >> (big_endian_ ? bits - 8 - at : at));
        }
        return *this;
    }
    Octets& half(uint32_t value) { return word(value, 16); }
    std::string text;

  private:
    bool big_endian_;
};

std::string said(const std::string& octets) {
    std::istringstream capture(octets);
    return other_than_ethernet(capture).value_or("Ethernet");
}

std::string pcap(uint32_t link_type, uint32_t magic = 0xA1B2C3D4, bool big_endian = false) {
    Octets octets(big_endian);
    octets.word(magic).half(2).half(4).word(0).word(0).word(65535).word(link_type);
    return octets.text;
}

std::string section(bool big_endian = false) {
    Octets octets(big_endian);
    octets.word(0x0A0D0D0A).word(28).word(0x1A2B3C4D).half(1).half(0);
    octets.word(UINT32_MAX).word(UINT32_MAX).word(28);
    return octets.text;
}
std::string interface(uint32_t link_type, bool big_endian = false) {
    Octets octets(big_endian);
    octets.word(1).word(20).half(link_type).half(0).word(65535).word(20);
    return octets.text;
}
std::string packet(bool big_endian = false) {
    Octets octets(big_endian);
    octets.word(6).word(36).word(0).word(0).word(0).word(4).word(4).word(0xDEADBEEF).word(36);
    return octets.text;
}

TEST(CaptureFile, TakesEthernet) {
    EXPECT_EQ(said(pcap(1)), "Ethernet");
    EXPECT_EQ(said(pcap(1, 0xA1B23C4D)), "Ethernet") << "nanoseconds";
    EXPECT_EQ(said(pcap(1, 0xA1B2C3D4, true)), "Ethernet");
    EXPECT_EQ(said(pcap(0x50000001)), "Ethernet") << "says that frames have an FCS";
    EXPECT_EQ(said(section() + interface(1) + packet() + interface(1)), "Ethernet");
}

TEST(CaptureFile, NamesWhatElseItHas) {
    EXPECT_EQ(said(pcap(101)), "link type RAW");
    EXPECT_EQ(said(pcap(113)), "link type LINUX_SLL");
    EXPECT_EQ(said(pcap(0)), "link type NULL");
    EXPECT_EQ(said(pcap(105, 0xA1B23C4D, true)), "link type IEEE802_11");
    EXPECT_EQ(said(pcap(276, 0xA1B23C4D)), "link type LINUX_SLL2");
    EXPECT_EQ(said(pcap(4711)), "link type LINKTYPE_4711");
}

TEST(CaptureFile, NamesTheInterfaceOfSeveral) {
    EXPECT_EQ(said(section() + interface(127)), "link type IEEE802_11_RADIOTAP at interface 0");
    EXPECT_EQ(said(section() + interface(1) + packet() + interface(101)),
              "link type RAW at interface 1");
    EXPECT_EQ(said(section(true) + interface(1, true) + packet(true) + interface(113, true)),
              "link type LINUX_SLL at interface 1");
}

// Each section counts its interfaces anew, and may be of another order of octets.
TEST(CaptureFile, LooksBehindAnyNumberOfFrames) {
    std::string frames = section() + interface(1);
    for (int frame = 0; frame < 1'100'000; ++frame) frames += packet();
    EXPECT_EQ(said(frames + interface(113)), "link type LINUX_SLL at interface 1");
    EXPECT_EQ(said(frames + interface(1)), "Ethernet");
}

TEST(CaptureFile, KnowsEachMagicNumberOfPcap) {
    for (const uint32_t magic : {0xA1B2C3D4, 0xA1B23C4D, 0xA1B2CD34, 0xA1B234CD, 0xA12B3C4D}) {
        EXPECT_EQ(said(pcap(113, magic)), "link type LINUX_SLL") << std::hex << magic;
        EXPECT_EQ(said(pcap(113, magic, true)), "link type LINUX_SLL") << std::hex << magic;
    }
}

TEST(CaptureFile, LooksAtEverySection) {
    EXPECT_EQ(said(section() + interface(1) + interface(1) + section(true) + interface(0, true)),
              "link type NULL at interface 0");
    EXPECT_EQ(said(section(true) + interface(1, true) + section() + interface(1) + interface(12)),
              "link type RAW at interface 1");
}

// libpcap reports what is wrong with these files.
TEST(CaptureFile, LeavesWhatIsNoCaptureToOthers) {
    EXPECT_EQ(said(""), "Ethernet");
    EXPECT_EQ(said("no capture at all"), "Ethernet");
    const std::string whole = section() + interface(101);
    for (std::size_t length = 0; length < whole.size() - 10; ++length) {
        EXPECT_EQ(said(whole.substr(0, length)), "Ethernet") << length;
    }
    Octets stuck;
    stuck.word(2).word(0);
    EXPECT_EQ(said(section() + stuck.text + interface(101)), "Ethernet") << "a block of no length";
}

}  // namespace
}  // namespace sluice::pmd
