// Whatever a frame says that may be of a link with retry: it is read inside its end, or not at all;
// one that was read holds what its readers rely on, and is written as it was. Nor does an end come
// to harm that receives it in its own session or in another, whatever it makes of it.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <vector>

#include "dataplane/retry/port_retry.h"
#include "dataplane/retry/retry_shim.h"
#include "tests/support/octets.h"

namespace {

using namespace sluice;

void require(bool holds) {
    if (!holds) std::abort();
}

void must_be_harmless(std::span<const uint8_t> octets, bool in_session) {
    PortRetry end({.is_on = true, .buffer = Bytes(4096), .resequence = Bytes(4096)});
    const PortRetry::Link link{
        .is_up = true, .peer = LinkPeer::able, .priorities = 0x08, .source = {1}};
    // Frames have no buffer here.
    const auto hear_octets = [&](std::span<const uint8_t> heard, Nanos now) {
        uint16_t length = 0;
        const PortRetry::Heard said = end.hear(heard, length, now);
        if (said == PortRetry::Heard::frame || said == PortRetry::Heard::keep) {
            require(length >= 14 && retry_shim_octets + length <= heard.size());
        }
        Frame frame{};
        frame.length = length;
        if (said == PortRetry::Heard::keep) end.keep(frame, now);
    };
    const auto hear = [&](RetryKind kind, uint32_t session, RetrySequence number) {
        std::array<uint8_t, retry_signal_octets> signal{};
        write_retry_shim(std::span(signal).first<retry_shim_octets>(), {2},
                         {.kind = kind, .session = session, .number = number});
        hear_octets(signal, Nanos(2));
    };
    end.follow(link, Nanos(1));
    if (in_session) {
        while (!end.signal(Nanos(1)).empty()) end.signal_sent();
        hear(RetryKind::ack, end.sender().session(), RetrySequence().before());
        const auto shim = read_retry_shim(octets);
        if (shim) hear(RetryKind::begin, shim->session, {});
        require(end.is_open());
        const std::array<uint8_t, 60> frame{};
        for (int n = 0; n < 3; ++n) {
            require(!end.number(frame, 0x08).empty());
            require(end.newest().size() == retry_shim_octets + frame.size());
            end.numbered(1, Nanos(2));
        }
        // As if it knew the session.
        if (shim) {
            std::vector<uint8_t> own(octets.begin(), octets.end());
            write_32(&own[18], end.sender().session());
            hear_octets(own, Nanos(2));
        }
    }
    hear_octets(octets, Nanos(3));
    end.follow(link, Nanos(10'000'000));
    end.hear_answer(octets, Nanos(10'000'000));
    for (int n = 0; n < 20 && !end.signal(Nanos(10'000'000)).empty(); ++n) end.signal_sent();
    for (int n = 0; n < 20 && !end.replay(0).octets.empty(); ++n) end.replayed(Nanos(10'000'000));
    end.show();
    require(end.sender().kept() <= 3);
    require(end.watch().used.value() <= 4096);
    require(end.watch().kept_bytes.value() <= 4096);
    end.stop();
    while (end.take_unwanted()) {
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    const test::Fenced frame(std::span(data, size));
    if (const auto shim = read_retry_shim(frame.octets())) {
        require(shim->session != 0 && is_of_retry(frame.octets()));
        std::array<uint8_t, retry_shim_octets> octets{};
        write_retry_shim(octets, read_address(data + 6), *shim);
        require(std::ranges::equal(octets, frame.octets().first(octets.size())));
        if (shim->kind == RetryKind::ack || shim->kind == RetryKind::nack) {
            const RetryAnswer answer = read_retry_answer(frame.octets(), *shim);
            std::array<uint8_t, longest_retry_signal> signal{};
            const auto written = write_retry_answer(signal, read_address(data + 6), answer);
            const auto said = frame.octets().first(retry_shim_octets + shim->length);
            require(std::ranges::equal(said, written.first(said.size())));
        }
    }
    must_be_harmless(frame.octets(), false);
    must_be_harmless(frame.octets(), true);
    return 0;
}
