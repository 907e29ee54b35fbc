// PackedEntry: the FDB's data about an address in one word, so that a reader sees all of it or
// none.
#pragma once

#include <cassert>
#include <cstdint>
#include <string_view>

#include "dataplane/types/limits.h"

namespace sluice {

// `fixed`: a static entry; `remote`: an address behind a tunnel, which control added.
enum class EntryKind : uint8_t { learned, fixed, remote };
constexpr std::string_view name_of(EntryKind kind) {
    if (kind == EntryKind::learned) return "learned";
    return kind == EntryKind::fixed ? "static" : "remote";
}

// Contains the owner (the port, and one bit each for a static and a remote entry), a bit that is
// set in every entry, the generation in which the entry is valid (fdb.h), and the epoch of the last
// frame.
class PackedEntry {
  public:
    static constexpr uint8_t fixed_owner = 0x80;   // bit of an owner of static entries
    static constexpr uint8_t remote_owner = 0x40;  // bit of an owner of remote entries
    static_assert(max_ports <= remote_owner);

    PackedEntry() = default;  // no entry
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
    // Whether learning from a frame of `port` in `epoch` would leave this entry unchanged.
    [[nodiscard]] bool is_fresh(PortIndex port, uint32_t epoch) const {
        return bits_ != 0 && owner() == port && static_cast<uint32_t>(bits_) == epoch;
    }

  private:
    static constexpr uint64_t present = uint64_t{1} << 48;

    uint64_t bits_ = 0;
};

}  // namespace sluice
