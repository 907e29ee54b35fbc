#include "tools/gen/demo_switch.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "config/loader.h"
#include "config/values.h"
#include "pmd_glue/eal.h"
#include "tools/gen/receiver.h"

namespace sluice::gen {
namespace {

std::string far_end(const std::string& port) { return fmt::format("ring:{}/b", port); }

// What stations hold beside their devices: a slow host's backlog, a burst a priority, one to build
// from, and a pause frame.
constexpr std::size_t station_frames =
    Receiver::backlog_frames + burst_frames * (max_priorities + 1) + 1;

}  // namespace

std::string demo_configuration(std::size_t ports, uint16_t frame_octets, unsigned cpu,
                               const std::string& socket) {
    const int64_t ring_frames = pmd::PortRequest{}.rx_descriptors;
    const auto cell = static_cast<int64_t>(std::max(std::bit_ceil(unsigned{frame_octets}), 256U));
    // After an XOFF was sent two rings of frames may still come: those on their way to the switch,
    // and those that are sent while the XOFF waits behind a ring of data; and the bursts in hand.
    const int64_t headroom = (2 * ring_frames + 256) * cell;
    const int64_t shared =
        2 * ring_frames * cell * static_cast<int64_t>(std::max<std::size_t>(ports, 4));
    // Enough that a poll moves more than it takes in, even when a burst of long frames has spread
    // over the VOQs of every other port and three priorities.
    const std::size_t slots = std::clamp<std::size_t>(4 * ports, 8, 64);
    const int64_t quantum = std::max(8 * cell, int64_t{4096});
    std::string text = fmt::format(
        "defaults:\n"
        "  speed: {}\n"
        "  lossless: [{}]\n"
        "  pfc: {{xoff: {}, xon: {}, headroom: {}}}\n"
        "buffer: {{size: {}, cell: {}}}\n"
        "fabric: {{quantum: {}, slots: {}}}\n"
        "workers: {{cores: [{}]}}\n"
        "ports:\n",
        config::format_rate(demo_speed.count()), demo_lossless, config::format_size(512 * cell),
        config::format_size(256 * cell), config::format_size(headroom),
        config::format_size(shared + static_cast<int64_t>(ports) * headroom),
        config::format_size(cell), config::format_size(quantum), slots, cpu);
    for (std::size_t port = 0; port < ports; ++port) {
        text += fmt::format("  - {{name: p{0}, device: ring:p{0}/a}}\n", port);
    }
    if (!socket.empty()) text += fmt::format("control: {{socket: \"{}\"}}\n", socket);
    return text;
}

tl::expected<std::unique_ptr<DemoSwitch>, std::vector<std::string>> DemoSwitch::start(
    std::size_t ports, uint16_t frame_octets, const std::string& socket) {
    const std::vector<unsigned> cpus = pmd::usable_cpus();
    auto configuration =
        config::load_text(demo_configuration(ports, frame_octets, cpus[0], socket), "embedded");
    if (!configuration) {
        std::vector<std::string> lines;
        for (const config::Fault& fault : configuration.error()) lines.push_back(to_string(fault));
        return tl::unexpected(std::move(lines));
    }
    control::DaemonOptions options;
    options.chassis.companion_cpus = {cpus[cpus.size() > 1 ? 1 : 0]};
    options.chassis.companion_buffers = ports * station_frames;
    options.signals = false;
    options.answer = !socket.empty();
    auto daemon = control::Daemon::start(std::move(*configuration), options);
    if (!daemon) return tl::unexpected(std::move(daemon.error().lines));

    std::unique_ptr<DemoSwitch> demo(new DemoSwitch(std::move(*daemon), cpus.size() == 1));
    control::Chassis& chassis = demo->daemon_->chassis();
    for (const auto& near : chassis.ports()) {
        const pmd::PortRequest far{.name = near->name() + "/b",
                                   .device = *pmd::parse_device(far_end(near->name()))};
        auto port = pmd::Port::open(far, chassis.pool());
        if (!port) return tl::unexpected(std::vector{port.error().text()});
        demo->links_.push_back(std::make_unique<DeviceLink>(std::move(*port), chassis.pool()));
        demo->link_views_.push_back(demo->links_.back().get());
    }
    return demo;
}

DemoSwitch::~DemoSwitch() { daemon_->stop(); }

void DemoSwitch::launch(int (*function)(void*), void* argument) {
    control::Chassis& chassis = daemon_->chassis();
    chassis.eal().launch(chassis.workers().count(), function, argument);
}

void DemoSwitch::wait() {
    control::Chassis& chassis = daemon_->chassis();
    chassis.eal().wait(chassis.workers().count());
}

}  // namespace sluice::gen
