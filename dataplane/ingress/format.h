// Format: a port's FrameFormat, compiled. Each field is read by one load of eight octets, a shift
// and a mask, which are computed when settings are adopted, so that reading needs no branch on the
// layout. A load stays inside the header: it starts at the field's first octet, or eight octets
// before the header's end if that is earlier. A field of 48 bits spans at most seven octets.
// Bound: six loads a frame, whose header must be complete; one more for a TTL, which is decremented
// in place.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "dataplane/types/frame_format.h"

namespace sluice {

class FieldReader {
  public:
    FieldReader() = default;  // reads 0
    FieldReader(const Field& field, Bytes header) {
        if (!field.exists()) return;
        const auto last_load = static_cast<unsigned>(header.count()) - load_octets;
        octet_ = static_cast<uint8_t>(std::min(field.offset / 8U, last_load));
        shift_ = static_cast<uint8_t>((octet_ + load_octets) * 8U - field.end());
        mask_ = field.significant();
    }
    // Reads the field of a frame with a complete header.
    [[nodiscard]] uint64_t operator()(const uint8_t* octets) const {
        uint64_t word = 0;
        std::memcpy(&word, octets + octet_, sizeof word);
        return __builtin_bswap64(word) >> shift_ & mask_;
    }
    [[nodiscard]] bool reads() const { return mask_ != 0; }
    // Decrements the field. Requires a field that is not 0 and has only significant bits.
    void lower(uint8_t* octets) const {
        uint64_t word = 0;
        std::memcpy(&word, octets + octet_, sizeof word);
        word = __builtin_bswap64(__builtin_bswap64(word) - (uint64_t{1} << shift_));
        std::memcpy(octets + octet_, &word, sizeof word);
    }

  private:
    static constexpr unsigned load_octets = 8;

    uint64_t mask_ = 0;
    uint8_t octet_ = 0;
    uint8_t shift_ = 0;
};

struct Format {
    Format() = default;
    explicit Format(const FrameFormat& format)
        : layout(format),
          destination(format.destination, format.header),
          source(format.source, format.header),
          traffic_class(format.traffic_class, format.header),
          key_word(format.key_word, format.header),
          flow_label(format.flow_label, format.header),
          ttl(format.ttl, format.header),
          is_standard(format == presets[0]),
          ids(has_ids(format.family)),
          short_ids(has_short_ids(format.family)),
          tells_length((format.key_word.significant() & key_word_short_ids) != 0 &&
                       format.key_word.exists()) {}

    FrameFormat layout;
    FieldReader destination;
    FieldReader source;
    FieldReader traffic_class;
    FieldReader key_word;
    FieldReader flow_label;
    FieldReader ttl;
    bool is_standard = true;
    bool ids = false;           // whether the format has ids in place of addresses
    bool short_ids = false;     // whether the format's ids have 16 bits
    bool tells_length = false;  // whether bit W of the key word gives the length of ids
};

}  // namespace sluice
