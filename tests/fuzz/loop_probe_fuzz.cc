// Whatever a frame says that may be a probe of the loop guard: it is read inside its end, or not at
// all; and one that was read is written as it was, and names a port that there may be.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>

#include "dataplane/ingress/loop_probe.h"
#include "tests/support/octets.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    using namespace sluice;
    const test::Fenced frame(std::span(data, size));
    const auto probe = read_loop_probe(frame.octets());
    if (!probe) return 0;
    const auto again = frame_of(*probe, {1});
    const bool holds =
        probe->sender != 0 && probe->port < max_ports && read_loop_probe(again) == probe;
    if (!holds) std::abort();
    return 0;
}
