// Fuzzes the reader of streams: any octets give streams that can be sent, or at least one fault,
// each of one line.
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "tests/fuzz/promises.h"
#include "tools/gen/probe.h"
#include "tools/gen/stream_file.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    using sluice::test::must;
    constexpr std::size_t ports = 4;
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const auto streams = sluice::gen::read_streams(text, "fuzz.yaml", ports);
    if (!streams) {
        sluice::test::check_faults(streams.error());
        return 0;
    }
    must(!streams->empty() && streams->size() <= sluice::gen::most_streams, "1 to 256 streams");
    for (const sluice::gen::Stream& stream : *streams) {
        const auto& pattern = stream.sender.pattern;
        must(stream.from < ports && *pattern.only_to < ports, "between ports that are there");
        must(stream.from != *pattern.only_to, "to another");
        must(std::has_single_bit(pattern.priorities), "of one priority");
        must(stream.sender.burst > 0 && stream.sender.addresses > 0, "of something");
        uint32_t total = 0;
        for (std::size_t part = 0; part < pattern.frames.count; ++part) {
            const auto& [octets, share] = pattern.frames.parts[part];
            must(octets >= sluice::gen::shortest_frame && octets <= sluice::gen::longest_frame,
                 "of lengths that are sent");
            total += share;
        }
        must(total > 0 && total == pattern.frames.total, "whose shares are all");
    }
    return 0;
}
