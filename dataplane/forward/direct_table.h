// DirectTable: the part of the FDB for 16-bit ids. It has one word for each id, so a lookup is one
// load, ids do not collide and the table is never full.
//
// A page belongs to one (family, VLAN) and has 65,536 words, 512 KiB. Pages are allocated at start,
// for the VLANs of untagged frames and the configured VLANs. The hashed part (fdb.h) has the ids of
// other VLANs, and groups, whose keys have more than 16 bits.
// Bound: 64 pages. One writer, any number of readers; reads and writes of a word are atomic.
#pragma once

#include <array>
#include <atomic>
#include <cassert>
#include <cstdint>
#include <memory>
#include <span>

#include "dataplane/forward/packed_entry.h"
#include "dataplane/types/frame_format.h"
#include "dataplane/types/limits.h"

namespace sluice {

class DirectTable {
  public:
    static constexpr std::size_t ids = 65536;
    static constexpr std::size_t most_pages = 64;
    static constexpr std::size_t no_slot = ~std::size_t{0};

    struct Page {
        FormatFamily family;
        VlanId vlan;

        friend constexpr bool operator==(const Page&, const Page&) = default;
    };

    explicit DirectTable(std::span<const Page> pages)
        : slots_(pages.size() * ids), words_(std::make_unique<std::atomic<uint64_t>[]>(slots_)) {
        assert(pages.size() <= most_pages);
        for (std::size_t page = 0; page < pages.size(); ++page) {
            pages_[page] = pages[page];
            page_of(pages[page].family, pages[page].vlan) = static_cast<uint8_t>(page + 1);
        }
    }

    [[nodiscard]] std::size_t slots() const { return slots_; }
    // Returns the slot of an address; `no_slot` if the address belongs to the hashed part.
    [[nodiscard]] std::size_t slot_of(FormatFamily family, VlanId vlan, uint64_t address) const {
        assert(vlan < max_vlans);
        const std::size_t page = page_of_[static_cast<std::size_t>(family)][vlan];
        return page == 0 || address >= ids ? no_slot : (page - 1) * ids + address;
    }
    [[nodiscard]] const Page& page_at(std::size_t slot) const {
        assert(slot < slots_);
        return pages_[slot / ids];
    }
    void prefetch(std::size_t slot) const { __builtin_prefetch(&words_[slot]); }
    [[nodiscard]] PackedEntry read(std::size_t slot) const {
        assert(slot < slots_);
        return PackedEntry(words_[slot].load(std::memory_order_acquire));
    }
    void write(std::size_t slot, PackedEntry entry) {
        assert(slot < slots_);
        words_[slot].store(entry.bits(), std::memory_order_release);
    }

  private:
    uint8_t& page_of(FormatFamily family, VlanId vlan) {
        return page_of_[static_cast<std::size_t>(family)][vlan];
    }

    std::size_t slots_;
    std::unique_ptr<std::atomic<uint64_t>[]> words_;
    std::array<Page, most_pages> pages_{};
    std::array<std::array<uint8_t, max_vlans>, format_families> page_of_{};  // page + 1; 0: no page
};

}  // namespace sluice
