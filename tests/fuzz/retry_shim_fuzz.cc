// Whatever a frame says that may be of a link with retry: it is read inside its end, or not at all;
// one that was read holds what its readers rely on, and is written as it was. Nor does an end come
// to harm that receives it in its own session or in another, whatever it makes of it.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>

#include "dataplane/retry/port_retry.h"
#include "dataplane/retry/retry_shim.h"
#include "tests/support/octets.h"

namespace {

using namespace sluice;

void require(bool holds) {
    if (!holds) std::abort();
}

void must_be_harmless(std::span<const uint8_t> octets, bool in_session) {
    PortRetry end({.is_on = true, .buffer = Bytes(4096)});
    const PortRetry::Link link{
        .is_up = true, .peer = LinkPeer::able, .priorities = 0x08, .source = {1}};
    const auto hear = [&](RetryKind kind, uint32_t session, RetrySequence number,
                          uint32_t round = 0) {
        std::array<uint8_t, retry_signal_octets> signal{};
        write_retry_shim(std::span(signal).first<retry_shim_octets>(), {2},
                         {.kind = kind, .session = session, .number = number, .round = round});
        uint16_t length = 0;
        end.hear(signal, length, Nanos(2));
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
        if (shim) hear(shim->kind, end.sender().session(), shim->number, shim->round);
    }
    uint16_t length = 0;
    if (end.hear(octets, length, Nanos(3)) == PortRetry::Heard::frame) {
        require(length >= 14 && retry_shim_octets + length <= octets.size());
    }
    end.follow(link, Nanos(10'000'000));
    end.hear_answer(octets, Nanos(10'000'000));
    for (int n = 0; n < 20 && !end.signal(Nanos(10'000'000)).empty(); ++n) end.signal_sent();
    for (int n = 0; n < 20 && !end.replay(0).empty(); ++n) end.replayed(Nanos(10'000'000));
    end.show();
    require(end.sender().kept() <= 3);
    require(end.watch().used.value() <= 4096);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    const test::Fenced frame(std::span(data, size));
    if (const auto shim = read_retry_shim(frame.octets())) {
        require(shim->session != 0 && is_of_retry(frame.octets()));
        std::array<uint8_t, retry_shim_octets> octets{};
        write_retry_shim(octets, read_address(data + 6), *shim);
        require(std::ranges::equal(octets, frame.octets().first(octets.size())));
    }
    must_be_harmless(frame.octets(), false);
    must_be_harmless(frame.octets(), true);
    return 0;
}
