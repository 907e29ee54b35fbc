// Capture stream: what follows the reply to a `capture` request: messages, each the length of what
// is behind it in four octets, a kind in one, and its body; numbers in little endian.
//
//   frame   time (8, ns since 1970), depth (4), length (2), as, reason, port, priority, input and
//           output (1 each), and the octets that were kept of it. Ports and reasons are numbers of
//           the lists in the reply, 255 where there is none; `as` and depth are CaptureRecord's.
//   counts  frames captured, filtered out and lost so far (8 each); once a second at least
//   end     the same, for the last time
//
// Bound: a message of `longest_message`. Whoever reads it takes whatever comes: a message, that
// more is to come, or that this is no such stream.
// Not done here: where octets come from (capture.h, tools/sluice/capture).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "dataplane/capture/record.h"

namespace sluice::control {

struct CaptureCounts {
    uint64_t captured = 0;
    uint64_t filtered_out = 0;
    uint64_t lost = 0;

    friend bool operator==(const CaptureCounts&, const CaptureCounts&) = default;
};

void append_frame(std::string& stream, const CaptureRecord& record, int64_t time,
                  std::span<const uint8_t> octets);
void append_counts(std::string& stream, const CaptureCounts& counts, bool last);

class CaptureStream {
  public:
    static constexpr std::size_t longest_message = 1 + 20 + UINT16_MAX;

    struct Frame {
        CaptureRecord record;  // `time` since 1970
        std::span<const uint8_t> octets;
    };
    struct Counts {
        CaptureCounts counts;
        bool last = false;
    };
    struct Incomplete {};  // the rest is still to come
    struct Nonsense {};    // and so is what follows
    using Message = std::variant<Incomplete, Nonsense, Frame, Counts>;

    void append(std::string_view octets);
    // The next one. What it says of octets holds until the next call of either.
    Message next();

  private:
    std::string received_;
    std::size_t read_ = 0;  // of it
};

}  // namespace sluice::control
