// CsigTag: reads and writes the tag of in-band congestion signalling (CSIG: SAI's specification;
// draft-ravi-ippm-csig). The tag is the last one before IP. Each hop leaves the worse of two
// signals in it: its own or the received one.
//
//   compact   TPID 16, type 3, reserved 1, signal 5, locator 7; or locator 6 and D 1
//   wide      TPID 16, locator 15, D 1, type 4, signal 20, reserved 8
//
// The locator identifies the hop that wrote the signal. D marks a trimmed frame, whose tag is no
// longer updated. The TPIDs are settings, since no standard assigns any.
//
// The users of this file:
//   in        if a TPID is set and a frame has no IP header after its VLAN tags, an input searches
//             for one after a CSIG tag (ingress_pipeline/csig_arrivals.h), so that priority, ECN,
//             hash and trimming find the IP header
//   trim      a trimmed frame gets D (ingress_pipeline/admission.cc)
//   strip     if an output strips tags, they are removed before its frames are queued
//   out       an output that updates tags compares and writes them just before its device gets a
//             burst (shard_csig.cc), after all queues, so that the signal is recent
// Each of these costs one branch a burst while it is off.
// Bound: reads two VLAN tags, the CSIG tag and the type after the CSIG tag, all within the frame.
// Not done here: adding tags, which hosts do. A tag is faulty if the frame ends before the end of
// the IP header after the tag, another tag follows, MACsec is before or after the tag, or no IP
// follows. Faults are reported; a frame with a faulty tag stays unchanged.
#pragma once

#include <cstdint>
#include <span>

#include "dataplane/types/csig_settings.h"
#include "dataplane/types/enum_count.h"

namespace sluice {

enum class CsigForm : uint8_t { none, compact, wide };

constexpr std::size_t octets_of(CsigForm form) {
    if (form == CsigForm::none) return 0;
    return form == CsigForm::compact ? 4 : 8;
}

// The reason why a tag stays unchanged.
enum class CsigFault : uint8_t { none, truncated, order, macsec, not_ip, last = not_ip };
inline constexpr std::size_t csig_faults = count_of<CsigFault> - 1;  // without `none`

struct CsigPlace {
    CsigForm form = CsigForm::none;  // none: the frame has no tag, or the tag has a fault
    CsigFault fault = CsigFault::none;
    uint8_t offset = 0;       // offset of the TPID
    uint8_t network = 0;      // offset of the IP header after the tag
    uint16_t ether_type = 0;  // EtherType of IPv4 or IPv6
};

struct CsigSignal {
    uint8_t type = 0;    // a CsigType, or an unknown type
    uint32_t value = 0;  // 5 bits or 20
    uint16_t locator = 0;
    bool trimmed = false;
};

// Returns whether this switch's signal `ours` is worse than the received signal `theirs`, so that
// `ours` replaces `theirs`.
constexpr bool is_worse(CsigType type, uint32_t ours, uint32_t theirs) {
    const bool less_is_worse = type == CsigType::bandwidth || type == CsigType::relative;
    return less_is_worse ? ours < theirs : ours > theirs;
}
// Returns the signal for a value.
constexpr uint32_t signal_of(int64_t value, const CsigBands& bands, CsigForm form) {
    const int64_t last = form == CsigForm::compact ? 0x1F : 0xFFFFF;
    if (value <= bands.base) return 0;
    const int64_t band = (value - bands.base) / bands.step;
    return static_cast<uint32_t>(band < last ? band : last);
}

class CsigTags {
  public:
    CsigTags() = default;
    explicit CsigTags(const CsigSettings& settings) : settings_(settings) {}

    [[nodiscard]] const CsigFormSettings& settings(CsigForm form) const {
        return form == CsigForm::compact ? settings_.compact : settings_.wide;
    }
    // Finds the tag of a frame, which must have both addresses and an EtherType.
    [[nodiscard]] CsigPlace find(std::span<const uint8_t> octets) const;
    // Read and write the signal of a tag at `tag`. `write` leaves type and reserved bits unchanged;
    // value and locator must fit the fields of the tag.
    [[nodiscard]] CsigSignal read(const uint8_t* tag, CsigForm form) const;
    void write(uint8_t* tag, CsigForm form, uint32_t value, uint16_t locator) const;
    // Sets D in the frame's tag, if the tag has such a bit.
    void mark_trimmed(std::span<uint8_t> octets) const;

  private:
    [[nodiscard]] CsigForm form_of(uint16_t tpid) const;
    [[nodiscard]] CsigFault fault_behind(std::span<const uint8_t> octets, CsigPlace& place) const;
    [[nodiscard]] CsigFault behind_macsec(std::span<const uint8_t> octets, std::size_t at) const;

    CsigSettings settings_;
};

// Removes a tag from a frame; returns the new length. A frame of 60 octets or more keeps at least
// 60, padded with zeros. The octets after the tag are moved, so the frame begins at the same
// address.
uint16_t strip_csig(std::span<uint8_t> octets, const CsigPlace& place);

}  // namespace sluice
