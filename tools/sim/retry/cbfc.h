// Cbfc: credit-based flow control of one direction of a link, in slots of a cell. It is UEC-style:
// it has the counters and spacings of UEC 1.0.3 (section 5.2), as SAI's doc/CBFC describes them. It
// is a model and claims no conformance.
//
// Each virtual channel (VC) has a share of the receiver's buffer. The sender counts the credits
// that it has consumed (CC), the receiver those that it has freed (CF), both modulo 2^20. A cell is
// sent if CC - CF + need <= the VC's share.
//   CF_Update   receiver to sender: CF of one VC. Any two are at least 6,400 octets apart; two of
//               one VC are at most 262,144 apart, even if no credit was freed, since an
//               update may be lost.
//   CC_Update   sender to receiver, each 256 us, in order with the cells: CC of one VC. The
//               receiver frees this CC less its own count of CC: the credit of lost cells.
// Without CC_Update the credit of lost cells leaks, until there is none left.
// Retransmission of lost cells consumes no further credit, but has to keep CC_Update in order with
// the cells: otherwise the receiver frees the credit of a cell that still arrives.
//
// Units. A slot is a cell of 256 octets: 6,400 octets are 25 slots, 262,144 are 1024. At 100 Gbit/s
// a slot is 20.48 ns, so 256 us are 12,500 slots. A cell needs ceil((256 + overhead) / credit size)
// credits: by default one, of 256 octets and no overhead, as the buffer counts cells.
// A CC_Update takes a slot, like a cell, and has one VC; VCs take turns, and each has one in 256
// us. A CC_Update packet of UEC has 64 octets and the counts of all VCs. A CF_Update, 8 octets of a
// control ordered set in UEC, takes no slot here, and is lost as often as a cell.
//
// Bound: O(1) for a cell, O(VCs) for a slot. A due CF_Update of a VC waits for at most one of each
// other VC. A share must be below 2^20 credits, or CC - CF would be ambiguous.
// Not done here: pools that VCs share, negotiation, best-effort VCs.
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <cstdint>
#include <deque>
#include <optional>

namespace sluice::sim {

inline constexpr unsigned most_cbfc_vcs = 32;
inline constexpr uint32_t cbfc_counts = 1U << 20;
inline constexpr unsigned cbfc_cell_octets = 256;

// Wraps a sum or a difference of counts to 20 bits.
constexpr uint32_t cbfc_cyclic(uint32_t count) { return count % cbfc_counts; }

constexpr uint32_t cbfc_credits(unsigned octets, unsigned overhead, unsigned credit_octets) {
    return (octets + overhead + credit_octets - 1) / credit_octets;
}

struct CbfcSettings {
    unsigned vcs = 1;  // 1 to 32
    unsigned overhead = 0;
    unsigned credit_octets = cbfc_cell_octets;
    unsigned cf_min_spacing = 6'400 / cbfc_cell_octets;    // slots
    unsigned cf_max_spacing = 262'144 / cbfc_cell_octets;  // slots
    uint64_t cc_timer = 12'500;                            // slots; 0 sends no CC_Update
    uint32_t first_count = 0;                              // initial value of all counters

    [[nodiscard]] constexpr uint32_t need() const {
        return cbfc_credits(cbfc_cell_octets, overhead, credit_octets);
    }
};

// The content of a CC_Update or a CF_Update.
struct CbfcUpdate {
    unsigned vc = 0;
    uint32_t count = 0;

    friend bool operator==(const CbfcUpdate&, const CbfcUpdate&) = default;
};

using CbfcCounts = std::array<uint32_t, most_cbfc_vcs>;

class CbfcSender {
  public:
    // `share`: cells for each VC.
    CbfcSender(const CbfcSettings& settings, uint32_t share)
        : settings_(settings), limit_(share * settings.need()) {
        consumed_.fill(cbfc_cyclic(settings.first_count));
        freed_ = consumed_;
    }

    [[nodiscard]] bool may_send(unsigned vc) const {
        return in_use(vc) + settings_.need() <= limit_;
    }
    void send(unsigned vc) {
        assert(vc < settings_.vcs);
        consumed_[vc] = cbfc_cyclic(consumed_[vc] + settings_.need());
    }
    void hear_cf_update(const CbfcUpdate& freed) { freed_[freed.vc] = freed.count; }
    // Returns the CC_Update that uses this slot instead of a cell, if one is due.
    std::optional<CbfcUpdate> cc_update(uint64_t slot) {
        if (settings_.cc_timer == 0) return std::nullopt;
        const uint64_t turn = std::max<uint64_t>(settings_.cc_timer / settings_.vcs, 1);
        if (slot - updated_at_ < turn) return std::nullopt;
        updated_at_ = slot;
        ++updates_;
        const unsigned vc = next_;
        next_ = (next_ + 1) % settings_.vcs;
        return CbfcUpdate{vc, consumed_[vc]};
    }

    [[nodiscard]] uint32_t in_use(unsigned vc) const {
        return cbfc_cyclic(consumed_[vc] - freed_[vc]);
    }
    [[nodiscard]] uint64_t updates() const { return updates_; }

  private:
    CbfcSettings settings_;
    uint32_t limit_;
    CbfcCounts consumed_{};
    CbfcCounts freed_{};
    unsigned next_ = 0;  // VC of the next CC_Update
    uint64_t updated_at_ = 0;
    uint64_t updates_ = 0;
};

// The receiving end. Its buffer is one FIFO for all VCs.
class CbfcReceiver {
  public:
    CbfcReceiver(const CbfcSettings& settings, uint32_t share)
        : settings_(settings), share_(share) {
        consumed_.fill(cbfc_cyclic(settings.first_count));
        freed_ = said_ = consumed_;
    }

    // Counts a cell that arrived. Returns false if its VC has no room for it.
    bool arrived(unsigned vc) {
        consumed_[vc] = cbfc_cyclic(consumed_[vc] + settings_.need());
        if (held_[vc] >= share_) {
            free(vc, settings_.need());
            return false;
        }
        assert(held_[vc] < share_);
        ++held_[vc];
        buffer_.push_back(vc);
        return true;
    }
    // Frees the credit of cells that left the buffer. `cells`: number of cells that have left since
    // the start.
    void left(uint64_t cells) {
        for (; left_ < cells; ++left_) {
            assert(!buffer_.empty() && "only what is here leaves");
            const unsigned vc = buffer_.front();
            buffer_.pop_front();
            assert(held_[vc] > 0);
            --held_[vc];
            free(vc, settings_.need());
        }
    }
    void hear_cc_update(const CbfcUpdate& consumed) {
        const uint32_t lost = cbfc_cyclic(consumed.count - consumed_[consumed.vc]);
        consumed_[consumed.vc] = consumed.count;
        free(consumed.vc, lost);
        // The difference is negative if the wire doubled cells, since the sender counted them once.
        recovered_ += lost < cbfc_counts / 2 ? int64_t{lost} : int64_t{lost} - cbfc_counts;
    }
    // Returns the CF_Update to be sent in this slot, if one is due. VCs take turns.
    std::optional<CbfcUpdate> cf_update(uint64_t slot) {
        if (slot - updated_at_ < settings_.cf_min_spacing) return std::nullopt;
        for (unsigned n = 0; n < settings_.vcs; ++n) {
            const unsigned vc = (next_ + n) % settings_.vcs;
            const bool is_overdue = slot - said_at_[vc] >= settings_.cf_max_spacing;
            if (freed_[vc] == said_[vc] && !is_overdue) continue;
            said_[vc] = freed_[vc];
            said_at_[vc] = updated_at_ = slot;
            next_ = (vc + 1) % settings_.vcs;
            ++updates_;
            return CbfcUpdate{vc, freed_[vc]};
        }
        return std::nullopt;
    }

    [[nodiscard]] uint64_t updates() const { return updates_; }
    // Returns the credits that CC_Updates recovered.
    [[nodiscard]] int64_t recovered() const { return recovered_; }

  private:
    void free(unsigned vc, uint32_t credits) { freed_[vc] = cbfc_cyclic(freed_[vc] + credits); }

    CbfcSettings settings_;
    uint32_t share_;
    CbfcCounts consumed_{};
    CbfcCounts freed_{};
    CbfcCounts said_{};
    std::array<uint64_t, most_cbfc_vcs> said_at_{};
    CbfcCounts held_{};            // cells
    std::deque<unsigned> buffer_;  // VC of each cell in the buffer
    uint64_t left_ = 0;
    unsigned next_ = 0;  // VC of the next CF_Update
    uint64_t updated_at_ = 0;
    uint64_t updates_ = 0;
    int64_t recovered_ = 0;
};

}  // namespace sluice::sim
