// Fuzzes the readers of streams and of services: any octets give streams that can be sent, or at
// least one fault, each of one line.
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "tests/fuzz/promises.h"
#include "tools/gen/probe.h"
#include "tools/gen/service_file.h"
#include "tools/gen/stream_file.h"

namespace {

using sluice::test::must;

constexpr std::size_t ports = 4;

void check(const sluice::gen::Stream& stream) {
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

void check(const sluice::gen::Service& service) {
    check(service.stream);
    must(service.cir_fps > 0 && service.eir_fps >= 0, "at rates that can be sent");
    must(service.max_loss >= 0 && service.max_loss <= 1, "with a share that may be lost");
    must(service.policing.value_or(0) >= 0 && service.policing.value_or(0) <= 1, "likewise");
}

// What a reader made of a text.
template <class List>
void check_all(const List& list) {
    if (!list) return sluice::test::check_faults(list.error());
    must(!list->empty() && list->size() <= sluice::gen::most_streams, "1 to 256 of them");
    for (const auto& one : *list) check(one);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    check_all(sluice::gen::read_streams(text, "fuzz.yaml", ports));
    check_all(sluice::gen::read_services(text, "fuzz.yaml", ports));
    return 0;
}
