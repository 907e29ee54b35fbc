// Mailbox: passes copies of single frames, such as those of a control protocol, from one thread to
// another.
//
// It is a ring with one producer and one consumer (single_producer_ring.h), with an item for each
// frame. A frame is refused if the mailbox is full or the frame longer than `longest`; the posting
// thread counts the refusal.
// Bound: `slots` frames, all allocated by the constructor. Each octet is copied, which would be too
// slow for data.
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>

#include "dataplane/threads/single_producer_ring.h"

namespace sluice {

class Mailbox {
  public:
    static constexpr uint32_t slots = 8;
    static constexpr std::size_t longest = 1522;  // 1500 octets of payload, a header, two tags

    // --- called by the thread that posts --------------------------------------------------------
    [[nodiscard]] bool has_room() { return ring_.has_room(1); }
    // Returns false if the octets were refused.
    bool post(std::span<const uint8_t> octets) {
        if (octets.size() > longest) return false;
        return ring_.push_in_place([octets](Letter& letter) {
            std::ranges::copy(octets, letter.octets.begin());
            letter.length = static_cast<uint16_t>(octets.size());
        });
    }

    // --- called by the thread that takes --------------------------------------------------------
    // Returns the oldest frame, which is valid until `pop`. Empty: there is none.
    [[nodiscard]] std::span<const uint8_t> front() const {
        const Letter* const letter = ring_.front();
        if (letter == nullptr) return {};
        assert(letter->length <= longest);
        return {letter->octets.data(), letter->length};
    }
    void pop() { ring_.pop(); }

  private:
    struct Letter {
        uint16_t length;
        std::array<uint8_t, longest> octets;
    };

    SingleProducerRing<Letter, slots> ring_;
};

}  // namespace sluice
