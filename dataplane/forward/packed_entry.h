// PackedEntry: what an address is bound to, in one word, so that a reader sees it whole or not at
// all.
#pragma once

#include <cassert>
#include <cstdint>
#include <string_view>

#include "dataplane/types/limits.h"

namespace sluice {

// `fixed`: a static entry; `remote`: an entry that a control plane placed behind a tunnel.
enum class EntryKind : uint8_t { learned, fixed, remote };
constexpr std::string_view name_of(EntryKind kind) {
    if (kind == EntryKind::learned) return "learned";
    return kind == EntryKind::fixed ? "static" : "remote";
}

// The owner (port, and one bit each for a static and a remote entry), a bit that is set in any
// entry, the generation in which the entry is valid (fdb.h), and the epoch of the last frame.
class PackedEntry {
  public:
    static constexpr uint8_t fixed_owner = 0x80;   // of an owner: its static entries
    static constexpr uint8_t remote_owner = 0x40;  // and its remote ones
    static_assert(max_ports <= remote_owner);

    PackedEntry() = default;  // to nothing
    explicit PackedEntry(uint64_t bits) : bits_(bits) {}
    PackedEntry(PortIndex port, EntryKind kind, uint16_t generation, uint32_t epoch)
        : bits_(uint64_t{owner_of(port, kind)} << 56 | present | uint64_t{generation} << 32 |
                epoch) {
        assert(port < max_ports);
    }
    static constexpr uint8_t owner_of(PortIndex port, EntryKind kind) {
        if (kind == EntryKind::learned) return port;
        return kind == EntryKind::fixed ? fixed_owner | port : remote_owner | port;
    }

    explicit operator bool() const { return bits_ != 0; }
    [[nodiscard]] PortIndex port() const { return owner() & (remote_owner - 1); }
    [[nodiscard]] EntryKind kind() const {
        if ((owner() & (fixed_owner | remote_owner)) == 0) return EntryKind::learned;
        return (owner() & fixed_owner) != 0 ? EntryKind::fixed : EntryKind::remote;
    }
    [[nodiscard]] uint8_t owner() const { return static_cast<uint8_t>(bits_ >> 56); }
    [[nodiscard]] uint16_t generation() const { return static_cast<uint16_t>(bits_ >> 32); }
    [[nodiscard]] uint32_t epoch() const { return static_cast<uint32_t>(bits_); }
    [[nodiscard]] uint64_t bits() const { return bits_; }
    // Whether a frame from `port` in `epoch` would write this same entry, so that there is nothing
    // to write.
    [[nodiscard]] bool is_fresh(PortIndex port, uint32_t epoch) const {
        return bits_ != 0 && owner() == port && static_cast<uint32_t>(bits_) == epoch;
    }

  private:
    static constexpr uint64_t present = uint64_t{1} << 48;

    uint64_t bits_ = 0;
};

}  // namespace sluice
