// Ecn: the marking curve of a queue, which decides by the queue's depth whether a frame is marked
// or dropped; and the mark itself, CE.
//
// The curve acts on no frame below `low`, on every frame from `high` on, and in between with a
// probability that rises linearly from 0 to `probability`. Only ECN-capable frames are marked:
// ECT(0) or ECT(1) becomes CE. The checksum of IPv4 is updated without reading the rest of the
// header. aqm.h handles frames that are not ECN-capable.
// Bound: one multiplication a frame, and one octet written, or three for IPv4.
// Follows RFC 3168, RFC 1624 equation 3, and Floyd and Jacobson (1993) without their averaging: the
// depth is the present depth.
#pragma once

#include <cassert>
#include <cstdint>

#include "dataplane/types/frame.h"
#include "dataplane/types/frame_format.h"
#include "dataplane/types/settings.h"
#include "dataplane/types/units.h"

namespace sluice {

class Ecn {
  public:
    Ecn() = default;
    explicit Ecn(const EcnSettings& settings)
        : low_(settings.low.count()), high_(settings.high.count()) {
        assert(low_ >= 0 && high_ >= 0 && settings.probability_65536 <= 65536);
        if (high_ <= low_) return;
        const Wide top = Wide{settings.probability_65536} << (32 - 16 + slope_bits);
        slope_ = static_cast<uint64_t>(top / (high_ - low_));
    }

    [[nodiscard]] bool is_on() const { return high_ > 0; }
    // Whether the curve may act on a frame at `depth`.
    [[nodiscard]] bool may_act(Bytes depth) const { return is_on() && depth.count() >= low_; }
    // Whether the curve acts on a frame at `depth`. `draw`: random, uniform over 32 bits.
    [[nodiscard]] bool acts(Bytes depth, uint32_t draw) const {
        if (!may_act(depth)) return false;
        if (depth.count() >= high_) return true;
        const Wide above = depth.count() - low_;
        return draw < static_cast<uint64_t>(above * slope_ >> slope_bits);
    }

  private:
    static constexpr int slope_bits = 20;  // enough for a curve over 4 GiB

    int64_t low_ = 0;
    int64_t high_ = 0;
    uint64_t slope_ = 0;  // rise of the threshold for `draw` an octet, times 2^slope_bits
};

// EcnPlace: the field that carries ECN in frames of a port: of the IP header, or of their format.
class EcnPlace {
  public:
    EcnPlace() = default;  // only the IP header
    explicit EcnPlace(const Field& field)
        : in_format_(field.exists()),
          octet_(static_cast<uint8_t>(field.offset / 8)),
          shift_(static_cast<uint8_t>(6 - field.offset % 8)) {}

    // Whether the frame has an ECN field that may be written.
    [[nodiscard]] bool is_in(const Frame& frame) const {
        return frame.has_network() || (in_format_ && !frame.is_shared());
    }
    // Marks a frame that has such a field. Returns false if the frame is not ECN-capable, or is
    // marked already.
    [[nodiscard]] bool mark(const Frame& frame) const;
    [[nodiscard]] bool is_capable(const Frame& frame) const;

  private:
    bool in_format_ = false;
    uint8_t octet_ = 0;
    uint8_t shift_ = 0;
};

// Sets CE in the IPv4 or IPv6 header at `network`, whose first 20 or 40 octets are present. Returns
// false, without a change, if the header is not ECN-capable, or is marked already.
bool mark_congestion(uint8_t* network);
// Whether the sender of such a header reacts to marks: ECT(0), ECT(1) or CE.
[[nodiscard]] bool is_ecn_capable(const uint8_t* network);

}  // namespace sluice
