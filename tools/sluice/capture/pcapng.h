// Pcapng: frames as blocks of a pcapng file (draft-ietf-opsawg-pcapng): a section header, an
// interface description for each port before its first frame, a block for each frame with its
// direction and a comment, and at the end the number of lost frames.
// Bound: each call returns the octets of its blocks and keeps none. Times are nanoseconds since
// 1970; numbers are in the machine's byte order, as the format allows.
// Not here: reading, and writing to a file.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::cli {

class Pcapng {
  public:
    struct Interface {
        std::string name;
        std::string description;
    };
    struct Frame {
        std::size_t interface;  // index in the constructor's `interfaces`
        int64_t time;
        uint32_t length;  // on the wire, without FCS
        std::span<const uint8_t> octets;
        bool inbound;
        std::string_view comment;  // empty: none
    };

    // `snaplen`: the most octets of a frame that are written.
    Pcapng(std::vector<Interface> interfaces, uint32_t snaplen)
        : interfaces_(std::move(interfaces)), snaplen_(snaplen), ids_(interfaces_.size()) {}

    // Returns the beginning of the file.
    [[nodiscard]] static std::string header();
    // Returns the description of an interface, even if it has no frames.
    [[nodiscard]] std::string interface(std::size_t which);
    [[nodiscard]] std::string frame(const Frame& frame);
    // Returns the statistics of all described interfaces together; empty if none was described.
    [[nodiscard]] std::string statistics(int64_t time, uint64_t captured, uint64_t lost) const;

  private:
    std::vector<Interface> interfaces_;
    uint32_t snaplen_;
    std::vector<std::optional<uint32_t>> ids_;  // id of each interface in the file
    uint32_t described_ = 0;
};

}  // namespace sluice::cli
