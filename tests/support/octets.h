// Octets: frames for tests, written in hexadecimal or as fields.
//
// `hex` reads pairs of digits and skips all other characters, so a golden frame can be laid out in
// fields. `octets_of` builds a whole frame with valid defaults. `Fenced` ends a copy of the octets
// at an unreadable page, so that a read beyond them stops the test even without a sanitizer.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

#include "dataplane/types/address.h"
#include "dataplane/types/frame_format.h"
#include "dataplane/types/ip_address.h"
#include "dataplane/types/limits.h"

namespace sluice::test {

using Octets = std::vector<uint8_t>;

inline Octets hex(std::string_view text) {
    Octets octets;
    int high = -1;  // the first digit of an incomplete pair
    for (const char letter : text) {
        int digit = 0;
        if (letter >= '0' && letter <= '9') {
            digit = letter - '0';
        } else if (letter >= 'a' && letter <= 'f') {
            digit = letter - 'a' + 10;
        } else if (letter >= 'A' && letter <= 'F') {
            digit = letter - 'A' + 10;
        } else {
            continue;
        }
        if (high >= 0) {
            octets.push_back(static_cast<uint8_t>(high * 16 + digit));
            high = -1;
        } else {
            high = digit;
        }
    }
    if (high >= 0) throw std::invalid_argument("an odd number of digits");
    return octets;
}

// The address of the host that tests connect to a port.
constexpr MacAddress station(unsigned port) { return {uint64_t{0x0200'0000'0100} + port}; }
inline constexpr MacAddress broadcast{0xFFFF'FFFF'FFFF};

// Returns 2001:db8:NETWORK::HOST (RFC 3849).
constexpr Ipv6Address ipv6_of(uint16_t network, uint8_t host) {
    return {{0x20, 1, 0x0D, 0xB8, static_cast<uint8_t>(network >> 8), static_cast<uint8_t>(network),
             0, 0, 0, 0, 0, 0, 0, 0, 0, host}};
}

struct Tag {
    VlanId vlan = 0;
    uint8_t pcp = 0;
};

struct FrameSpec {
    MacAddress to = station(1);
    MacAddress from = station(0);
    std::optional<Tag> tag;
    uint16_t ether_type = 0x88B5;  // local experiments: not parsed further
    std::size_t length = 60;
};

inline Octets octets_of(const FrameSpec& spec) {
    const std::size_t type_at = spec.tag ? 16 : 12;
    Octets octets(spec.length < type_at + 2 ? type_at + 2 : spec.length);
    write_address(octets.data(), spec.to);
    write_address(&octets[6], spec.from);
    if (spec.tag) {
        write_16(&octets[12], 0x8100);
        write_16(&octets[14], static_cast<uint16_t>(spec.tag->pcp << 13 | spec.tag->vlan));
    }
    write_16(&octets[type_at], spec.ether_type);
    return octets;
}

// A frame with 16-bit ids, as in the presets afh_gen2_16b and afh_lite.
struct ShortIdSpec {
    uint16_t to = 1;
    uint16_t from = 0;
    uint8_t traffic_class = 0;
    uint8_t key_word = 0x80;
    std::size_t length = 60;
};

inline Octets octets_of(const ShortIdSpec& spec) {
    Octets octets(spec.length < 12 ? 12 : spec.length);
    octets[0] = spec.key_word;
    write_16(&octets[4], spec.to);
    octets[6] = spec.traffic_class;
    write_16(&octets[10], spec.from);
    return octets;
}

// Reads a field bit by bit.
inline uint64_t bits_of(std::span<const uint8_t> octets, const Field& field) {
    uint64_t value = 0;
    for (unsigned bit = field.offset; bit < field.end(); ++bit) {
        value = value << 1 | (unsigned{octets[bit / 8]} >> (7 - bit % 8) & 1U);
    }
    return value & field.mask;
}

class Fenced {
  public:
    explicit Fenced(std::span<const uint8_t> octets) : pages_(take(octets.size())) {
        uint8_t* const start = pages_->fence() - octets.size();
        if (!octets.empty()) std::memcpy(start, octets.data(), octets.size());
        octets_ = {start, octets.size()};
    }
    ~Fenced() { spare().push_back(std::move(pages_)); }
    Fenced(const Fenced&) = delete;
    Fenced& operator=(const Fenced&) = delete;

    [[nodiscard]] std::span<const uint8_t> octets() const { return octets_; }
    [[nodiscard]] std::span<uint8_t> to_write() { return octets_; }

  private:
    // Memory for any frame, followed by an unreadable page.
    class Pages {
      public:
        Pages() : base_(mmap(nullptr, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)) {
            if (base_ == MAP_FAILED || mprotect(base_, room, PROT_READ | PROT_WRITE) != 0) {
                throw std::bad_alloc();
            }
        }
        ~Pages() { munmap(base_, size); }
        Pages(const Pages&) = delete;
        Pages& operator=(const Pages&) = delete;

        static constexpr std::size_t room = 128 * 1024;
        [[nodiscard]] uint8_t* fence() const { return static_cast<uint8_t*>(base_) + room; }

      private:
        static constexpr std::size_t size = 2 * room;  // a multiple of any page size
        void* base_;
    };

    // Pages are reused, as a new mapping would take longer than the tested code.
    static std::vector<std::unique_ptr<Pages>>& spare() {
        thread_local std::vector<std::unique_ptr<Pages>> pages;
        return pages;
    }
    static std::unique_ptr<Pages> take(std::size_t octets) {
        if (octets > Pages::room) throw std::bad_alloc();
        if (spare().empty()) return std::make_unique<Pages>();
        auto pages = std::move(spare().back());
        spare().pop_back();
        return pages;
    }

    std::unique_ptr<Pages> pages_;
    std::span<uint8_t> octets_;
};

}  // namespace sluice::test
