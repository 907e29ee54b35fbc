// Whatever rtnetlink says, in dumps and besides, while hosts that it names talk here: it is read
// inside its end, or not at all; a network that receives it floods and binds to its tunnels alone,
// keeps no more than it has room for, sweeps what is remote and nothing else, and has forgotten all
// once the bridge is gone, nobody talks, and the grace time is over. So for neighbours, of which
// the workers' filter holds none then.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <variant>
#include <vector>

#include "control/evpn/messages.h"
#include "control/evpn/neighbours.h"
#include "control/evpn/network.h"
#include "tests/fuzz/promises.h"
#include "tests/support/octets.h"

namespace {

using namespace sluice;
using namespace sluice::control::evpn;
using test::must;

constexpr std::size_t most_addresses = 8;
constexpr Nanos second{1'000'000'000};
constexpr uint32_t bridge_interface = 3;

// Each fourth host of which it says something says that it is here, and each other one is remote.
class NeighboursToo {
  public:
    explicit NeighboursToo(Nanos now)
        : neighbours_({.vlan = 1,
                       .grace = second * 10,
                       .capacity = &capacity_,
                       .capacity_here = &room_here_,
                       .filter = &filter_},
                      now) {
        neighbours_.set_bridge(bridge_interface);
    }

    void receive(const Neighbour& neighbour, Nanos now) {
        must(neighbour.removed == (neighbour.mac == MacAddress{}), "one that is there has a MAC");
        must(!neighbour.mac.is_group(), "that of a station");
        ++turns_;
        if (turns_ % 3 == 0) neighbours_.begin_dump();
        neighbours_.receive(neighbour);
        if (turns_ % 3 == 0) (void)neighbours_.end_dump(now);
        if (turns_ % 4 == 0)
            neighbours_.claim({neighbour.ip, neighbour.mac}, neighbour.router, now);
        neighbours_.proceed(now, effects_);
        must(capacity_.used <= most_addresses && room_here_.used <= most_addresses / 2,
             "there is capacity for no more neighbours");
        const auto station = neighbours_.answer(neighbour.ip, {}, effects_);
        must(!station || station->mac != MacAddress{}, "an answer has a MAC");
        if (station) seen_.push_back(neighbour.ip);
    }
    // The bridge is gone, and nobody talks.
    void end(Nanos now) {
        neighbours_.daemon_began(now);
        neighbours_.proceed(now + second * 10, effects_);
        neighbours_.set_bridge(0);
        is_silent_ = true;
        for (int turn = 2; turn < 6; ++turn)
            neighbours_.proceed(now + second * 10 * turn, effects_);
        must(capacity_.used == 0 && room_here_.used == 0 && neighbours_.rows().empty(),
             "no neighbour is left");
        for (const IpAddress& ip : seen_) {
            must(!filter_.has(filter_.answered(1, ip)), "nor answered for");
        }
    }

  private:
    Network::Capacity capacity_{.most = most_addresses};
    Network::Capacity room_here_{.most = most_addresses / 2};
    NeighbourFilter filter_{most_addresses, 1};
    Neighbours neighbours_;
    std::vector<IpAddress> seen_;
    unsigned turns_ = 0;
    bool is_silent_ = false;
    Neighbours::Effects effects_{
        .look_up = [this](MacAddress mac) -> Known {
            if (is_silent_) return {};
            const bool is_here = mac.bits % 2 == 0;
            return {.as = is_here ? Known::As::local : Known::As::remote};
        },
        .send_to_kernel =
            [](const Octets& octets) {
                const auto messages = read_messages(octets);
                must(messages.size() == 1, "what is written of a neighbour can be read");
                const auto& said = std::get<Neighbour>(messages[0]);
                must(said.interface == bridge_interface && !said.remote, "and is of the bridge");
            },
        .daemon_is_there = [] { return true; }};
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    constexpr std::size_t longest = 64 * 1024;
    const test::Fenced datagram({data, std::min(size, longest)});
    Nanos now = second * 1000;
    Network::Capacity capacity{.most = most_addresses};
    Network network({.tunnels = {{{0xC000'0202}, 2}, {{0xC000'0203}, 3}},
                     .grace = second * 10,
                     .capacity = &capacity},
                    now);
    const KernelBridge bridge{.device = 4, .local = 5, .bridge = 3};
    network.set_bridge(bridge, now);
    std::map<MacAddress, Known> fdb;
    uint64_t orders = 0;
    const auto look_up = [&](MacAddress address) {
        const auto found = fdb.find(address);
        return found == fdb.end() ? Known{} : found->second;
    };
    const Network::Effects effects{
        .look_up = look_up,
        .order = [&](MacAddress address, RemoteOrder order) -> std::optional<uint64_t> {
            must(!address.is_group() && address != MacAddress{}, "a station is bound");
            const bool binds = order.kind == RemoteOrder::Kind::bind;
            must(!binds || order.port == 2 || order.port == 3, "to a tunnel");
            const bool is_local = look_up(address).as == Known::As::local;
            if (binds) {
                fdb[address] = {.as = Known::As::remote, .port = order.port};
            } else if (order.kind == RemoteOrder::Kind::forget || !is_local) {
                fdb.erase(address);
            }
            return ++orders;
        },
        .carried_out = [&] { return orders - orders % 2; },  // the last may wait
        .send_to_kernel =
            [&](const Octets& octets) {
                const auto messages = read_messages(octets);
                must(messages.size() == 1, "what is written can be read");
                const auto& entry = std::get<Entry>(messages[0]);
                const bool is_local = entry.interface == bridge.local;
                must(is_local || (entry.interface == bridge.device && entry.removed),
                     "local ones are written, remote ones taken away");
            },
        .daemon_is_there = [] { return true; },
        .daemon_began = [&]() -> std::optional<Nanos> { return now; }};
    NeighboursToo neighbours(now);
    unsigned turns = 0;
    for (const Message& message : read_messages(datagram.octets())) {
        if (const auto* const answer = std::get_if<Answer>(&message)) {
            must(answer->error >= 0 && answer->error <= 4095, "an error is a number of the system");
            network.receive(*answer, now);
        }
        if (const auto* const neighbour = std::get_if<Neighbour>(&message)) {
            neighbours.receive(*neighbour, now);
        }
        const auto* const entry = std::get_if<Entry>(&message);
        if (entry == nullptr) continue;
        // Each third is in a dump of its own, after each fourth its host talks here.
        ++turns;
        if (turns % 3 == 0) network.begin_dump();
        network.receive(*entry, now);
        if (turns % 3 == 0) (void)network.end_dump(now);
        const bool talks = turns % 4 == 0 && !entry->address.is_group();
        if (talks && entry->address != MacAddress{}) {
            fdb[entry->address] = {.as = Known::As::local, .sticky = entry->sticky};
            network.see_local(entry->address, fdb[entry->address], now, effects);
        }
        now += second / 50;
        network.proceed(now, effects);
        must((network.flooded() & ~(only(2) | only(3))) == 0, "tunnels are flooded alone");
        must(network.counts().remote + network.counts().local <= most_addresses &&
                 capacity.used <= most_addresses,
             "there is capacity for no more");
        must(network.vteps().size() <= Network::most_vteps, "nor for VTEPs");
    }
    neighbours.end(now);
    network.daemon_began(now);
    now += second * 10;
    network.proceed(now, effects);
    must(network.takes_dump_wish(), "a sweep goes by a dump");
    network.begin_dump();
    // One that lacks entries is not whole; the next one is.
    while (!network.end_dump(now)) network.begin_dump();
    network.proceed(now, effects);
    must(network.counts().sweeps != 0, "it sweeps while there is something to sweep");
    network.set_bridge({}, now);
    std::erase_if(fdb, [](const auto& item) { return item.second.as == Known::As::local; });
    for (int turn = 0; turn < 6; ++turn) {
        now += second * 15;
        orders += orders % 2;  // what waited is taken
        network.proceed(now, effects);
    }
    must(network.flooded() == 0 && network.counts().remote == 0, "nothing is left");
    must(fdb.empty() && network.vteps().empty() && capacity.used == 0, "of anything");
    return 0;
}
