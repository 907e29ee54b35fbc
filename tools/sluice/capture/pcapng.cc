#include "tools/sluice/capture/pcapng.h"

#include <array>
#include <cstring>
#include <limits>
#include <utility>

namespace sluice::cli {

namespace {

enum class Block : uint32_t {
    section_header = 0x0A0D0D0A,
    interface_description = 1,
    interface_statistics = 5,
    enhanced_packet = 6,
};
enum Option : uint16_t {
    end_of_options = 0,
    comment = 1,
    if_name = 2,
    if_description = 3,
    if_tsresol = 9,
    epb_flags = 2,
    isb_usrdeliv = 8,
    isb_osdrop = 7,
    shb_userappl = 4,
};

constexpr uint32_t byte_order_magic = 0x1A2B3C4D;
constexpr uint16_t ethernet = 1;      // LINKTYPE_ETHERNET
constexpr uint8_t nanoseconds = 9;    // units of 10^-9 s
constexpr uint32_t flag_inbound = 1;  // bit of epb_flags
constexpr uint32_t flag_outbound = 2;

// Builds a block: first its content, then `end` writes its length on both sides.
class BlockOf {
  public:
    explicit BlockOf(Block type) {
        number(static_cast<uint32_t>(type));
        number(uint32_t{0});
    }
    template <class Number>
    void number(Number value) {
        octets(&value, sizeof value);
    }
    void time(int64_t nanos) {
        number(static_cast<uint32_t>(static_cast<uint64_t>(nanos) >> 32));
        number(static_cast<uint32_t>(nanos));
    }
    // Pads to a whole number of 32-bit words.
    void padded(const void* from, std::size_t count) {
        octets(from, count);
        block_.append((4 - count % 4) % 4, '\0');
    }
    void option(Option code, std::string_view value) {
        const std::string_view fits = value.substr(0, std::numeric_limits<uint16_t>::max());
        number(static_cast<uint16_t>(code));
        number(static_cast<uint16_t>(fits.size()));
        padded(fits.data(), fits.size());
    }
    template <class Number>
    void option(Option code, Number value) {
        std::array<char, sizeof value> octets_of_it;
        std::memcpy(octets_of_it.data(), &value, sizeof value);
        option(code, std::string_view(octets_of_it.data(), octets_of_it.size()));
    }
    std::string end() {
        option(end_of_options, std::string_view());
        const auto length = static_cast<uint32_t>(block_.size() + sizeof(uint32_t));
        number(length);
        std::memcpy(block_.data() + sizeof(uint32_t), &length, sizeof length);
        return std::move(block_);
    }

  private:
    void octets(const void* from, std::size_t count) {
        block_.append(static_cast<const char*>(from), count);
    }

    std::string block_;
};

}  // namespace

std::string Pcapng::header() {
    BlockOf block(Block::section_header);
    block.number(byte_order_magic);
    block.number(uint16_t{1});
    block.number(uint16_t{0});
    block.number(int64_t{-1});  // the section is as long as the file
    block.option(shb_userappl, std::string_view("sluice capture"));
    return block.end();
}

std::string Pcapng::interface(std::size_t which) {
    if (ids_[which]) return {};
    ids_[which] = described_++;
    BlockOf block(Block::interface_description);
    block.number(ethernet);
    block.number(uint16_t{0});
    block.number(snaplen_);
    block.option(if_name, std::string_view(interfaces_[which].name));
    block.option(if_description, std::string_view(interfaces_[which].description));
    block.option(if_tsresol, nanoseconds);
    return block.end();
}

std::string Pcapng::frame(const Frame& frame) {
    std::string blocks = interface(frame.interface);
    BlockOf block(Block::enhanced_packet);
    block.number(*ids_[frame.interface]);
    block.time(frame.time);
    block.number(static_cast<uint32_t>(frame.octets.size()));
    block.number(frame.length);
    block.padded(frame.octets.data(), frame.octets.size());
    if (!frame.comment.empty()) block.option(comment, frame.comment);
    block.option(epb_flags, frame.inbound ? flag_inbound : flag_outbound);
    return blocks + block.end();
}

std::string Pcapng::statistics(int64_t time, uint64_t captured, uint64_t lost) const {
    if (described_ == 0) return {};
    BlockOf block(Block::interface_statistics);
    block.number(uint32_t{0});
    block.time(time);
    block.option(comment, std::string_view("of all interfaces together"));
    block.option(isb_osdrop, lost);
    block.option(isb_usrdeliv, captured);
    return block.end();
}

}  // namespace sluice::cli
