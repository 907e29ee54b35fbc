#include "control/capture/stream.h"

#include <array>
#include <bit>
#include <cstring>

namespace sluice::control {

namespace {

enum class Kind : uint8_t { frame = 1, counts = 2, end = 3 };

constexpr std::size_t length_octets = 4;
constexpr std::size_t record_octets = 20;
constexpr std::size_t counts_octets = 24;

static_assert(std::endian::native == std::endian::little, "numbers are copied as they are");

template <class Number>
void append_number(std::string& stream, Number number) {
    std::array<char, sizeof number> octets;
    std::memcpy(octets.data(), &number, sizeof number);
    stream.append(octets.data(), octets.size());
}

void begin(std::string& stream, Kind kind, std::size_t body) {
    append_number(stream, static_cast<uint32_t>(1 + body));
    append_number(stream, kind);
}

// Reads numbers from the front of a body, which must be long enough.
class Body {
  public:
    explicit Body(std::string_view octets) : octets_(octets) {}

    template <class Number>
    Number take() {
        Number number;
        std::memcpy(&number, octets_.data(), sizeof number);
        octets_.remove_prefix(sizeof number);
        return number;
    }
    [[nodiscard]] std::span<const uint8_t> rest() const {
        return {reinterpret_cast<const uint8_t*>(octets_.data()), octets_.size()};
    }

  private:
    std::string_view octets_;
};

CaptureStream::Message frame_of(std::string_view octets) {
    if (octets.size() < record_octets) return CaptureStream::Malformed{};
    Body body(octets);
    CaptureRecord record{};
    record.time = Nanos(body.take<int64_t>());
    record.depth = body.take<uint32_t>();
    record.length = body.take<uint16_t>();
    const auto as = body.take<uint8_t>();
    record.reason = static_cast<Drop>(body.take<uint8_t>());
    record.port = body.take<uint8_t>();
    record.priority = body.take<uint8_t>();
    record.input = body.take<uint8_t>();
    record.output = body.take<uint8_t>();
    const auto kept = body.rest();
    if (as > static_cast<uint8_t>(CapturedAs::trimmed) || kept.size() > record.length) {
        return CaptureStream::Malformed{};
    }
    record.as = static_cast<CapturedAs>(as);
    record.copied = static_cast<uint16_t>(kept.size());
    return CaptureStream::Frame{record, kept};
}

CaptureStream::Message counts_of(std::string_view octets, bool last) {
    if (octets.size() != counts_octets) return CaptureStream::Malformed{};
    Body body(octets);
    CaptureStream::Counts message{.last = last};
    message.counts.captured = body.take<uint64_t>();
    message.counts.filtered_out = body.take<uint64_t>();
    message.counts.lost = body.take<uint64_t>();
    return message;
}

}  // namespace

void append_frame(std::string& stream, const CaptureRecord& record, int64_t time,
                  std::span<const uint8_t> octets) {
    begin(stream, Kind::frame, record_octets + octets.size());
    append_number(stream, time);
    append_number(stream, record.depth);
    append_number(stream, record.length);
    append_number(stream, record.as);
    append_number(stream, record.reason);
    append_number(stream, record.port);
    append_number(stream, record.priority);
    append_number(stream, record.input);
    append_number(stream, record.output);
    stream.append(reinterpret_cast<const char*>(octets.data()), octets.size());
}

void append_counts(std::string& stream, const CaptureCounts& counts, bool last) {
    begin(stream, last ? Kind::end : Kind::counts, counts_octets);
    append_number(stream, counts.captured);
    append_number(stream, counts.filtered_out);
    append_number(stream, counts.lost);
}

void CaptureStream::append(std::string_view octets) {
    received_.erase(0, read_);
    read_ = 0;
    received_ += octets;
}

CaptureStream::Message CaptureStream::next() {
    std::string_view rest = std::string_view(received_).substr(read_);
    if (rest.size() < length_octets) return Incomplete{};
    const auto length = Body(rest).take<uint32_t>();
    if (length == 0 || length > longest_message) return Malformed{};
    rest.remove_prefix(length_octets);
    if (rest.size() < length) return Incomplete{};
    read_ += length_octets + length;
    const std::string_view body = rest.substr(1, length - 1);
    switch (static_cast<Kind>(rest.front())) {
        case Kind::frame:
            return frame_of(body);
        case Kind::counts:
            return counts_of(body, false);
        case Kind::end:
            return counts_of(body, true);
    }
    return Malformed{};
}

}  // namespace sluice::control
