// Whatever a lossy queue does not admit and trimming is asked for: nothing is read or written
// outside of it, it gets shorter, its IP header is still one, and it is not cut again.
// An input: the size in two octets, the DSCP in one; then the frame.
#include <cstddef>
#include <cstdint>
#include <span>

#include "dataplane/egress/dscp.h"
#include "dataplane/ingress/parse.h"
#include "dataplane/trim/cut_packet.h"
#include "dataplane/types/address.h"
#include "tests/fuzz/promises.h"
#include "tests/support/octets.h"

namespace {

using sluice::test::Fenced;
using sluice::test::must;

constexpr std::size_t longest_frame = 0xFFFF;

void check(std::span<const uint8_t> octets, std::size_t size, uint8_t dscp) {
    const Fenced frame(octets);
    sluice::Headers headers;
    if (sluice::parse(frame.octets(), headers) != sluice::Drop::none) return;
    const std::size_t network = headers.network_offset;
    if (network == 0) return;
    const std::size_t length = sluice::length_when_cut(frame.octets(), network, size);
    if (length == 0) return;
    must(length < octets.size() && length >= size, "what is cut gets shorter, down to its size");
    Fenced kept(octets.first(length));
    sluice::write_cut_headers(kept.to_write(), network, dscp);
    sluice::Headers now;
    must(sluice::parse(kept.octets(), now) == sluice::Drop::none, "its headers can be read");
    must(now.network_offset == network && now.dscp == dscp, "its IP header is where it was");
    must(now.source == headers.source && now.destination == headers.destination,
         "its addresses are the same");
    must(sluice::length_when_cut(kept.octets(), network, size) == 0, "it is not cut again");
    const uint8_t* const ip = &kept.octets()[network];
    const std::size_t stated =
        sluice::is_ipv4(ip) ? sluice::read_16(ip + 2) : 40U + sluice::read_16(ip + 4);
    must(stated <= length - network, "it states no more than is left");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* octets, std::size_t size) {
    if (size < 3 || size - 3 > longest_frame) return 0;
    const std::span input(octets, size);
    check(input.subspan(3), sluice::read_16(octets), octets[2] & 0x3F);
    return 0;
}
