// CaptureStream: the format of the octets after the reply to a `capture` request. The octets are a
// sequence of messages. A message has the length of its rest in four octets, its kind in one octet,
// and a body. Numbers are little endian.
//
//   frame   time (8 octets, ns since 1970), depth (4), length (2), as, reason, port, priority,
//           input, output (1 each), and the octets kept of the frame. Ports and reasons are
//           positions in the lists of the reply, 255 for none; `as` and depth as in CaptureRecord
//   counts  frames captured, filtered out and lost so far (8 octets each); at least once a second
//   end     the same counts, as the last message
//
// Bound: messages of `longest_message` octets. The reader accepts any input: it returns a message,
// or that the next is incomplete, or that the input is malformed.
// Not done here: sockets (capture.h, tools/sluice/capture).
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
        CaptureRecord record;  // `record.time` is ns since 1970
        std::span<const uint8_t> octets;
    };
    struct Counts {
        CaptureCounts counts;
        bool last = false;
    };
    struct Incomplete {};  // the rest of the message has not arrived
    struct Malformed {};   // neither this message nor those after it can be read
    using Message = std::variant<Incomplete, Malformed, Frame, Counts>;

    void append(std::string_view octets);
    // Returns the next message. Its octets are valid until the next call of `append` or `next`.
    Message next();

  private:
    std::string received_;
    std::size_t read_ = 0;  // octets already read
};

}  // namespace sluice::control
