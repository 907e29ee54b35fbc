// Whatever a client of a capture reads, it makes blocks of it that are whole, or says that it makes
// no sense; and whatever program a client sends as a filter, it is refused or comes to its end.
//
// The first octet of the input says which, and the size of the pieces that the stream comes in, or
// how many instructions there are in front of the frame.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "control/capture/filter.h"
#include "control/capture/stream.h"
#include "tests/fuzz/promises.h"
#include "tools/sluice/capture/comment.h"
#include "tools/sluice/capture/pcapng.h"

namespace {

using sluice::cli::Pcapng;
using sluice::control::CaptureFilter;
using sluice::control::CaptureStream;
using sluice::test::must;

uint32_t word_at(std::string_view octets, std::size_t at) {
    uint32_t word = 0;
    std::memcpy(&word, octets.data() + at, sizeof word);
    return word;
}

void check_blocks(std::string_view blocks) {
    while (!blocks.empty()) {
        must(blocks.size() >= 12, "a block has a type and its length twice");
        const uint32_t length = word_at(blocks, 4);
        must(length % 4 == 0 && length >= 12 && length <= blocks.size(), "whole words, all there");
        must(word_at(blocks, length - 4) == length, "the length again at its end");
        blocks.remove_prefix(length);
    }
}

void check_frame(const CaptureStream::Frame& frame, Pcapng& pcapng) {
    const sluice::cli::CaptureNames names{.ports = {"p0", "p1"}, .reasons = {"none", "runt"}};
    must(frame.octets.size() <= frame.record.length, "no more octets than the frame has");
    const std::string comment = comment_of(frame.record, names);
    must(comment.find('\n') == std::string::npos, "a comment is a line");
    check_blocks(pcapng.frame({.interface = frame.record.port % 2U,
                               .time = frame.record.time.count(),
                               .length = frame.record.length,
                               .octets = frame.octets,
                               .inbound = frame.record.as == sluice::CapturedAs::received,
                               .comment = comment}));
}

void read_stream(std::string_view octets, std::size_t piece) {
    CaptureStream stream;
    Pcapng pcapng({{"p0", "ring:a"}, {"p1", "ring:b"}}, 65535);
    check_blocks(Pcapng::header());
    while (!octets.empty()) {
        stream.append(octets.substr(0, piece));
        octets.remove_prefix(std::min(piece, octets.size()));
        for (bool more = true; more;) {
            const CaptureStream::Message message = stream.next();
            if (std::holds_alternative<CaptureStream::Malformed>(message)) return;
            more = !std::holds_alternative<CaptureStream::Incomplete>(message);
            if (const auto* frame = std::get_if<CaptureStream::Frame>(&message)) {
                check_frame(*frame, pcapng);
            }
        }
    }
    check_blocks(pcapng.statistics(1, 2, 3));
}

void run_filter(std::span<const uint8_t> octets, std::size_t instructions) {
    std::vector<bpf_insn> program(std::min(instructions, octets.size() / sizeof(bpf_insn)));
    const std::size_t size = program.size() * sizeof(bpf_insn);
    if (size != 0) std::memcpy(program.data(), octets.data(), size);
    const auto filter = CaptureFilter::of(std::move(program));
    if (filter) static_cast<void>(filter->passes(octets.subspan(size), octets.size()));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const std::span<const uint8_t> rest(data + 1, size - 1);
    const std::size_t number = 1U + data[0] / 2U;
    if (data[0] % 2 == 0) {
        read_stream({reinterpret_cast<const char*>(rest.data()), rest.size()}, number);
    } else {
        run_filter(rest, number);
    }
    return 0;
}
