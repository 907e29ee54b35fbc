// Mailbox: a few frames from one thread to another, copied.
//
// One thread posts, one other takes: a single-producer, single-consumer ring. Neither waits, and no
// word has two writers. A frame is refused if the mailbox is full or the frame longer than
// `longest`; the thread that posts counts that.
// Bound: `slots` frames, all memory taken by the constructor. For the frames of control protocols:
// a copy of each octet, which data could not afford.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

namespace sluice {

class Mailbox {
  public:
    static constexpr uint32_t slots = 8;
    static constexpr std::size_t longest = 1522;  // 1500 octets of payload, a header, two tags

    Mailbox() = default;
    Mailbox(const Mailbox&) = delete;
    Mailbox& operator=(const Mailbox&) = delete;

    // By the writer.
    [[nodiscard]] bool has_room() const {
        return posted_.load(std::memory_order_relaxed) - taken_.load(std::memory_order_acquire) !=
               slots;
    }
    // Likewise. False: refused.
    bool post(std::span<const uint8_t> octets) {
        if (!has_room() || octets.size() > longest) return false;
        const uint32_t at = posted_.load(std::memory_order_relaxed);
        Slot& slot = slots_[at % slots];
        std::ranges::copy(octets, slot.octets.begin());
        slot.length = static_cast<uint16_t>(octets.size());
        posted_.store(at + 1, std::memory_order_release);
        return true;
    }

    // By the reader: the oldest, until `pop`. Empty: there is none.
    [[nodiscard]] std::span<const uint8_t> front() const {
        const uint32_t at = taken_.load(std::memory_order_relaxed);
        if (at == posted_.load(std::memory_order_acquire)) return {};
        const Slot& slot = slots_[at % slots];
        return {slot.octets.data(), slot.length};
    }
    void pop() {
        taken_.store(taken_.load(std::memory_order_relaxed) + 1, std::memory_order_release);
    }

  private:
    struct Slot {
        uint16_t length;
        std::array<uint8_t, longest> octets;
    };

    alignas(64) std::atomic<uint32_t> posted_{0};  // by the writer
    alignas(64) std::atomic<uint32_t> taken_{0};   // by the reader
    alignas(64) std::array<Slot, slots> slots_;
};

}  // namespace sluice
