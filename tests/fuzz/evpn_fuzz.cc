// Whatever rtnetlink says: it is read inside its end, or not at all; a network that hears it floods
// and binds to its tunnels alone, keeps no more than it has room for, and has forgotten all that is
// remote once the mirror is empty and the grace time over.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <variant>

#include "control/evpn/messages.h"
#include "control/evpn/network.h"
#include "tests/fuzz/promises.h"
#include "tests/support/octets.h"

namespace {

using namespace sluice;
using namespace sluice::control::evpn;
using test::must;

constexpr std::size_t most_addresses = 8;
constexpr Nanos second{1'000'000'000};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    constexpr std::size_t longest = 64 * 1024;
    const test::Fenced datagram({data, std::min(size, longest)});
    Nanos now = second * 1000;
    Network network({.tunnels = {{{0xC000'0202}, 2}, {{0xC000'0203}, 3}},
                     .grace = second * 10,
                     .most_addresses = most_addresses},
                    now);
    network.set_mirror({.device = 4, .local = 5, .bridge = 3}, now);
    std::map<MacAddress, PortIndex> bound;
    const Network::Effects effects{
        .look_up =
            [&](MacAddress address) {
                const auto found = bound.find(address);
                return found == bound.end() ? Known{}
                                            : Known{.as = Known::As::remote, .port = found->second};
            },
        .order =
            [&](MacAddress address, RemoteOrder order) {
                must(!address.is_group() && address != MacAddress{}, "a station is bound");
                bound.erase(address);
                if (order.kind == RemoteOrder::Kind::bind) bound[address] = order.port;
                must(order.kind != RemoteOrder::Kind::bind || order.port == 2 || order.port == 3,
                     "to a tunnel");
                return true;
            },
        .tell_kernel =
            [](const Octets& octets) {
                must(read_messages(octets).size() == 1, "what is told can be read");
            }};
    for (const Message& message : read_messages(datagram.octets())) {
        if (const auto* const answer = std::get_if<Answer>(&message)) {
            must(answer->error >= 0 && answer->error <= 4095, "an error is a number of the system");
        }
        const auto* const entry = std::get_if<Entry>(&message);
        if (entry == nullptr) continue;
        network.hear(*entry, now);
        now += second / 50;
        network.proceed(now, effects);
        must((network.flooded() & ~(only(2) | only(3))) == 0, "tunnels are flooded alone");
        must(network.counts().remote + network.counts().local <= most_addresses,
             "there is room for no more");
        must(network.vteps().size() <= Network::most_vteps, "nor for VTEPs");
    }
    network.daemon_began(now);
    network.set_mirror({}, now);
    for (int turn = 0; turn < 3; ++turn) {
        now += second * 15;
        network.proceed(now, effects);
    }
    must(network.flooded() == 0 && network.counts().remote == 0, "nothing is left");
    must(bound.empty() && network.vteps().empty(), "of anything");
    return 0;
}
