// Bridges with whatever cables between them, that come and go: when nothing has changed for long
// enough they are one tree that reaches all and has no loop, agree on the root, and are silent but
// for a hello of each cable; and no port ever sends more than its hold count and one a second.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tests/property/draw.h"
#include "tests/support/bridged_network.h"

namespace sluice::property {
namespace {

using namespace sluice::literals;
using Network = test::BridgedNetwork;

struct Drawn {
    Network network;
    bool all_rapid = true;
};

rstp::PortSettings draw_port() {
    return {.cost = one_of<uint32_t>({1, 2000, 20'000, 20'000, 200'000'000}),
            .priority = one_of<uint8_t>({0, 128, 128, 240}),
            .edge = one_of(
                {rstp::Edge::automatic, rstp::Edge::automatic, rstp::Edge::on, rstp::Edge::off})};
}

Drawn draw_network() {
    Drawn drawn;
    const auto bridges = wide<std::size_t>(2, 6);
    for (std::size_t index = 0; index < bridges; ++index) {
        const bool rapid = between<int>(0, 7) != 7;
        drawn.all_rapid = drawn.all_rapid && rapid;
        drawn.network.add(0x10 + between<uint64_t>(0, 7) * 16 + index,
                          one_of<uint16_t>({0, 32768, 32768, 61440}), rapid);
    }
    const auto cables = wide<int>(1, 10);
    for (int cable = 0; cable < cables; ++cable) {
        const auto a = wide<std::size_t>(0, static_cast<int64_t>(bridges) - 1);
        const auto b = wide<std::size_t>(0, static_cast<int64_t>(bridges) - 1);
        drawn.network.connect(a, b, draw_port(), draw_port());
    }
    return drawn;
}

void change(Network& network) {
    const auto cable = wide<std::size_t>(0, static_cast<int64_t>(network.cables.size()) - 1);
    const auto bridge = wide<std::size_t>(0, static_cast<int64_t>(network.bridges.size()) - 1);
    rstp::BridgeSettings settings = network.bridges[bridge].settings();
    switch (between<int>(0, 5)) {
        case 0:
            settings.priority = one_of<uint16_t>({0, 4096, 32768});
            network.bridges[bridge].configure(settings, network.now);
            break;
        case 1: {
            const auto& end = network.cables[cable].ends[0];
            network.bridges[end.bridge].set_port(end.port, draw_port(), network.now);
            break;
        }
        default:
            network.set(cable, !network.cables[cable].up);
    }
    network.run(one_of({0_ms, 20_ms, 100_ms, 1_s, 5_s}));
}

uint64_t most_sent(const Network& network, uint64_t seconds) {
    uint64_t ports = 0;
    for (const rstp::Bridge& bridge : network.bridges) ports += bridge.ports().size();
    return ports * (seconds + network.bridges[0].settings().hold_count + 1);
}

RC_GTEST_PROP(Rstp, ConvergesToATreeThatSpansWithoutALoop, ()) {
    Drawn drawn = draw_network();
    Network& network = drawn.network;
    const Nanos began = network.now;
    for (int changes = between<int>(0, 12); changes > 0; --changes) change(network);
    // Received information lasts three hellos under RSTP; under STP it lasts the maximum age and
    // two forward delays.
    network.run(drawn.all_rapid ? 60_s : 120_s);
    RC_ASSERT(!network.has_loop());
    RC_ASSERT(network.spans());
    RC_ASSERT(network.agree_on_root());
    const auto seconds = static_cast<uint64_t>((network.now - began).count() / 1'000'000'000);
    RC_ASSERT(network.sent <= most_sent(network, seconds));

    // Settled it stays, and each cable that is up has a hello in two seconds, of one end.
    for (rstp::Bridge& bridge : network.bridges) (void)bridge.take_changes();
    const uint64_t before = network.sent;
    for (int turns = 0; turns < 1000; ++turns) {
        network.step();
        RC_ASSERT(!network.has_loop());
    }
    for (rstp::Bridge& bridge : network.bridges) RC_ASSERT(bridge.take_changes().empty());
    RC_ASSERT(network.sent - before <= network.cables.size() * 11);
}

}  // namespace
}  // namespace sluice::property
