// Whatever comes to a tunnel's end: it is read inside the frame, or not at all; what is carried
// lies inside it, behind a whole header; what is refused has a name; and only what is carried is
// touched, there its ECN and checksum alone. What is carried goes into a tunnel and comes out of it
// as it was.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "dataplane/tunnel/decapsulator.h"
#include "dataplane/tunnel/encapsulator.h"
#include "tests/fuzz/promises.h"
#include "tests/support/octets.h"

namespace {

using namespace sluice;
using test::must;

constexpr MacAddress own{0x0200'0000'00FE};
constexpr Ipv4Address local{0xC633'6402};
constexpr Ipv4Address remote{0xC000'0201};
constexpr uint32_t vni = 0x123456;

void goes_through(std::span<const uint8_t> inner) {
    const Encapsulator encapsulator({.own = own, .local = remote, .remote = local, .vni = vni},
                                    class_selectors, 1);
    std::vector<uint8_t> whole(vxlan_octets);
    encapsulator.write(std::span<uint8_t, vxlan_octets>(whole.data(), vxlan_octets), inner, 3, own);
    whole.insert(whole.end(), inner.begin(), inner.end());
    Decapsulator decapsulator(own, local);
    decapsulator.add(remote, vni);
    const Arrival arrival = decapsulator.look(whole);
    must(arrival.kind == ArrivalKind::carried && arrival.offset == vxlan_octets,
         "what went into a tunnel comes out");
    must(std::ranges::equal(std::span(whole).subspan(arrival.offset, arrival.length), inner),
         "and is as it was");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    constexpr std::size_t longest = 9000;
    const std::span<const uint8_t> given(data, std::min(size, longest));
    test::Fenced frame(given);
    Decapsulator decapsulator(own, local);
    decapsulator.add(remote, vni);
    const Arrival arrival = decapsulator.look(frame.to_write());
    std::size_t touched = 0;
    for (std::size_t at = 0; at < given.size(); ++at) {
        if (frame.octets()[at] == given[at]) continue;
        must(arrival.kind == ArrivalKind::carried && at >= arrival.offset, "the outer is left");
        ++touched;
    }
    must(touched <= 3, "ECN and checksum alone are written");
    must((arrival.kind == ArrivalKind::refused) == (arrival.why != Refusal::none),
         "what is refused has a name");
    if (arrival.kind == ArrivalKind::carried) {
        must(arrival.length >= 14 && arrival.offset + arrival.length <= given.size(),
             "what is carried lies inside");
        goes_through(frame.octets().subspan(arrival.offset, arrival.length));
    }
    if (given.size() >= 14) goes_through(given);
    return 0;
}
