#include "pmd_glue/capture_file.h"

#include <array>
#include <istream>
#include <string_view>

namespace sluice::pmd {
namespace {

constexpr uint32_t ethernet = 1;

struct LinkType {
    uint32_t number;
    std::string_view name;
};
constexpr auto link_types = std::to_array<LinkType>({
    {0, "NULL"},
    {1, "ETHERNET"},
    {6, "IEEE802_5"},
    {8, "SLIP"},
    {9, "PPP"},
    {12, "RAW"},
    {14, "RAW"},
    {50, "PPP_HDLC"},
    {51, "PPP_ETHER"},
    {101, "RAW"},
    {104, "C_HDLC"},
    {105, "IEEE802_11"},
    {108, "LOOP"},
    {113, "LINUX_SLL"},
    {117, "PFLOG"},
    {119, "IEEE802_11_PRISM"},
    {127, "IEEE802_11_RADIOTAP"},
    {187, "BLUETOOTH_HCI_H4"},
    {189, "USB_LINUX"},
    {192, "PPI"},
    {195, "IEEE802_15_4_WITHFCS"},
    {220, "USB_LINUX_MMAPPED"},
    {224, "FC_2"},
    {227, "CAN_SOCKETCAN"},
    {228, "IPV4"},
    {229, "IPV6"},
    {239, "NFLOG"},
    {240, "NETANALYZER"},
    {247, "INFINIBAND"},
    {253, "NETLINK"},
    {274, "ETHERNET_MPACKET"},
    {276, "LINUX_SLL2"},
});

// Reads a capture's headers in either byte order.
class Reader {
  public:
    explicit Reader(std::istream& from) : from_(from) {}

    std::optional<std::string> other_than_ethernet() {
        const auto magic = word();
        if (!magic) return {};
        if (*magic == section) return in_blocks();
        for (const uint32_t pcap : pcap_magics) {
            if (*magic == pcap || *magic == __builtin_bswap32(pcap)) {
                swapped_ = *magic != pcap;
                return in_header();
            }
        }
        return {};
    }

  private:
    static constexpr uint32_t section = 0x0A0D0D0A;
    static constexpr uint32_t interface = 1;
    static constexpr uint32_t byte_order = 0x1A2B3C4D;
    // Magic numbers for microseconds and nanoseconds, and of three variants with more data for each
    // frame; libpcap accepts them all (its sf-pcap.c).
    static constexpr std::array pcap_magics{0xA1B2C3D4U, 0xA1B23C4DU, 0xA1B2CD34U, 0xA1B234CDU,
                                            0xA12B3C4DU};

    std::optional<uint32_t> word() {
        std::array<char, 4> octets{};
        if (!from_.read(octets.data(), octets.size())) return {};
        uint32_t value = 0;
        for (std::size_t at = octets.size(); at-- > 0;) {
            value = value << 8 | static_cast<uint8_t>(octets[at]);
        }
        return swapped_ ? __builtin_bswap32(value) : value;
    }

    // The header of pcap after the magic number: version, two words of time, snapshot length, link
    // type.
    std::optional<std::string> in_header() {
        constexpr std::streamoff before_link_type = 16;
        from_.ignore(before_link_type);
        const auto link_type = word();
        constexpr uint32_t without_fcs_bits = 0x0FFFFFFF;
        if (!link_type || (*link_type & without_fcs_bits) == ethernet) return {};
        return "link type " + link_type_name(*link_type & without_fcs_bits);
    }

    // Reads the blocks of a pcapng file. The type of the first one was read as the magic number.
    std::optional<std::string> in_blocks() {
        uint32_t type = section;
        uint32_t interfaces = 0;
        for (;;) {
            std::streamoff read = 8;  // octets of this block that were read
            auto length = word();
            if (type == section) {
                const auto order = word();
                read += 4;
                if (!length || !order) return {};
                if (*order == __builtin_bswap32(byte_order)) {
                    swapped_ = !swapped_;
                    length = __builtin_bswap32(*length);
                } else if (*order != byte_order) {
                    return {};
                }
                interfaces = 0;
            }
            constexpr uint32_t shortest = 12;
            if (!length || *length < shortest || *length % 4 != 0) return {};
            if (type == interface) {
                const auto link_type = word();
                read += 4;
                if (!link_type) return {};
                // The other half of the word is reserved.
                const uint32_t number = swapped_ ? *link_type >> 16 : *link_type & 0xFFFF;
                if (number != ethernet) {
                    return "link type " + link_type_name(number) + " at interface " +
                           std::to_string(interfaces);
                }
                ++interfaces;
            }
            pass(static_cast<std::streamoff>(*length) - read);
            const auto next = word();
            if (!next) return {};
            type = *next;
        }
    }

    // A short block is skipped within the read-ahead buffer, which a seek would discard.
    void pass(std::streamoff octets) {
        constexpr std::streamoff worth_a_seek = 16384;
        if (octets < worth_a_seek) {
            from_.ignore(octets);
        } else {
            from_.seekg(octets, std::ios::cur);
        }
    }

    std::istream& from_;
    bool swapped_ = false;  // the file is in big-endian order
};

}  // namespace

std::string link_type_name(uint32_t link_type) {
    for (const LinkType& known : link_types) {
        if (known.number == link_type) return std::string(known.name);
    }
    return "LINKTYPE_" + std::to_string(link_type);
}

std::optional<std::string> other_than_ethernet(std::istream& capture) {
    return Reader(capture).other_than_ethernet();
}

}  // namespace sluice::pmd
