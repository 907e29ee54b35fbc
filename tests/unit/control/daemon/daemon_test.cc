// A Daemon inside another program, as an embedder uses it: ring ports, no signals, no socket, and a
// companion that holds the far ends. EAL starts once a process, so this is one journey.
#include "control/daemon/daemon.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "config/loader.h"
#include "dataplane/types/address.h"
#include "tests/unit/control/lldp/frames.h"

namespace sluice::control {
namespace {

using namespace std::chrono_literals;

constexpr uint64_t alice = 0x020000000001;
constexpr uint64_t bob = 0x020000000002;
constexpr std::string_view two_rings =
    "ports:\n"
    "- {name: p0, device: 'ring:d0/a'}\n"
    "- {name: p1, device: 'ring:d1/a'}\n"
    "buffer: {size: 1MiB}\n";
const std::string without_lldp = std::string(two_rings) + "lldp: {enabled: false}\n";

// The far end of a ring, and one frame at a time.
class Station {
  public:
    Station(const std::string& device, pmd::Pool& pool) : pool_(pool) {
        pmd::PortRequest request;
        request.name = device;
        request.device = *pmd::parse_device(device);
        port_ = *pmd::Port::open(request, pool);
    }
    void send(uint64_t source, uint64_t destination) {
        std::array<uint8_t, 60> octets{};
        write_address(octets.data(), {destination});
        write_address(&octets[6], {source});
        write_16(&octets[12], 0x88B5);
        send(octets);
    }
    void send(std::span<const uint8_t> octets) {
        Frame frame;
        ASSERT_TRUE(pool_.allocate(std::span(&frame, 1), static_cast<uint16_t>(octets.size())));
        std::ranges::copy(octets, frame.data);
        ASSERT_EQ(port_->bursts().transmit(std::span(&frame, 1)), 1);
    }
    bool receive() {
        std::array<Frame, 1> frame;
        if (port_->bursts().receive(frame) == 0) return false;
        pool_.free(std::span(&frame[0].handle, 1));
        return true;
    }

  private:
    pmd::Pool& pool_;
    std::unique_ptr<pmd::Port> port_;
};

Daemon::Adopted applied(Daemon& daemon, std::string_view text) {
    std::optional<Daemon::Adopted> result;
    daemon.apply({.file = "test", .text = std::string(text)},
                 [&](const Daemon::Adopted& adopted) { result = adopted; });
    EXPECT_FALSE(result) << "before it returns";
    for (int turns = 0; !result && turns < 5000; ++turns) daemon.run_once(1ms);
    return result.value();
}

TEST(Daemon, runs_inside_another_program) {
    DaemonOptions options;
    options.signals = options.answer = false;
    options.give_up_privileges = false;  // the other tests need them
    options.runtime.eal_arguments = {"--no-huge", "-m", "256"};
    options.runtime.companion_buffers = 8192;
    auto started = Daemon::start(*config::load_text(without_lldp, "test"), options);
    ASSERT_TRUE(started) << started.error().lines[0];
    Daemon& daemon = **started;
    {
        Station near("ring:d0/b", daemon.runtime().pool());
        Station far("ring:d1/b", daemon.runtime().pool());
        near.send(alice, bob);
        int turns = 0;
        while (!far.receive() && ++turns < 5000) daemon.run_once(1ms);
        EXPECT_LT(turns, 5000) << "the frame did not arrive";

        EXPECT_EQ(daemon.show("fdb")[0]["address"], "02:00:00:00:00:01");
        EXPECT_EQ(daemon.show("ports")[1]["tx_frames"], 1);

        const std::string& next = without_lldp;
        EXPECT_TRUE(applied(daemon, next + "fdb: {ageing: 20s}\n"));
        const auto faulty = applied(daemon, "ports: 3");
        ASSERT_FALSE(faulty);
        EXPECT_EQ(faulty.error().status, Status::wrong_input);
        const auto restart = applied(daemon, next + "fdb: {capacity: 64}\n");
        ASSERT_FALSE(restart);
        EXPECT_EQ(restart.error().status, Status::failed);

        EXPECT_TRUE(applied(daemon, two_rings));
        near.send(frame_of(lldp::lldpdu_of("near")));
        const auto neighbours = [&] { return daemon.show("lldp")[0]["neighbours"].size(); };
        for (turns = 0; (neighbours() == 0 || !far.receive()) && turns < 5000; ++turns) {
            daemon.run_once(1ms);
        }
        EXPECT_LT(turns, 5000) << "LLDP is not spoken both ways";
        while (far.receive()) {
        }
        daemon.stop();
        EXPECT_TRUE(far.receive()) << "the neighbour is not told that we stop";
    }
    EXPECT_TRUE(ledger_of(daemon.runtime().dataplane()).balanced());
    const Json events = daemon.show("events");
    std::string kinds;
    for (const Json& event : events) kinds += event["kind"].get<std::string>() + ' ';
    EXPECT_EQ(kinds, "started adopted adopted lldp_neighbour_added stopping ");
}

}  // namespace
}  // namespace sluice::control
