// Whatever a frame says that may be an update of credit: it is read inside its end, or not at all;
// one that was read holds what its readers rely on, and is written as it was.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>

#include "dataplane/credits/credit_end.h"
#include "dataplane/credits/credit_update.h"
#include "tests/support/octets.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    using namespace sluice;
    const test::Fenced frame(std::span(data, size));
    const auto update = read_credit_update(frame.octets());
    if (!update) return 0;
    std::array<uint8_t, longest_credit_update> octets;
    const std::size_t length = write_credit_update(octets, {1}, *update);
    const auto& terms = update->terms;
    const bool holds = update->session != 0 && terms.cell.count() > 0 &&
                       terms.cell <= terms.buffer && terms.buffer <= largest_credit_buffer &&
                       read_credit_update(std::span(octets).first(length)) == update;
    if (!holds) std::abort();

    // Nor does an end come to harm that receives it, whatever it makes of it.
    CreditEnd end({.lossless = 0x18, .buffer = Bytes(65536), .cell = Bytes(256)},
                  {.quantum = Bytes(4096), .refresh = Nanos(1000)});
    end.start(update->peer_session != update->session ? std::max(update->peer_session, 1U) : 1U,
              Nanos(0));
    end.set_peer(CreditPeer::able, 0, Nanos(0));
    end.receive(*update, {1}, Nanos(1));
    for (Priority priority = 0; priority < max_priorities; ++priority) {
        if (end.sender().covers(priority, Bytes(1522))) {
            end.sender().consume(priority, Bytes(1522));
        }
    }
    end.receive(*update, {1}, Nanos(1));
    return 0;
}
