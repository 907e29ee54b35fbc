#include "tools/gen/demo/switch.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <set>

#include "config/loader.h"
#include "config/yaml/values.h"
#include "pmd_glue/eal.h"
#include "tools/gen/receiver.h"

namespace sluice::gen {
namespace {

// Returns `ring:x/b` for `ring:x/a` and the reverse, with as many queues.
std::string far_end(std::string device) {
    const std::size_t end = std::min(device.find(','), device.size());
    char& letter = device[end - 1];
    letter = letter == 'a' ? 'b' : 'a';
    return device;
}

// Returns the queues of a station: one for each priority if its port has a queue for each priority.
pmd::nic::QueuesAsked queues_of(const PfcSettings& pfc) {
    return {.by_nic = pfc.by == PfcBy::queues, .lossless = pfc.lossless};
}

// The buffers that stations hold outside of their devices: a slow host's backlog, a burst for each
// priority, a burst of new frames, and a pause frame.
constexpr std::size_t station_frames =
    Receiver::backlog_frames + burst_frames * (max_priorities + 1) + 1;

// Returns the configuration of ports p0, p1, ... With two switches each port is in the VLAN of its
// switch, and the ends of the cable are added.
std::string port_lines(std::size_t ports, DemoSwitches switches) {
    std::string text = "ports:\n";
    std::array<std::string, 2> members = {"cable1", "cable2"};
    const auto add = [&](const std::string& name, const std::string& device, std::size_t half) {
        text += fmt::format("  - {{name: {}, device: ring:{}", name, device);
        if (switches == DemoSwitches::two) text += fmt::format(", default_vlan: {}", half + 1);
        text += "}\n";
    };
    for (std::size_t port = 0; port < ports; ++port) {
        const std::string name = fmt::format("p{}", port);
        const std::size_t half = port < ports / 2 ? 0 : 1;
        members[half] += ", " + name;
        add(name, name + "/a", half);
    }
    if (switches == DemoSwitches::one) return text;
    add("cable1", "cable/a", 0);
    add("cable2", "cable/b", 1);
    return text + fmt::format("vlans:\n  - {{id: 1, ports: [{}]}}\n  - {{id: 2, ports: [{}]}}\n",
                              members[0], members[1]);
}

}  // namespace

std::string demo_configuration(std::size_t ports, uint16_t frame_octets, unsigned cpu,
                               const std::string& socket, uint32_t addresses,
                               DemoSwitches switches) {
    const std::size_t all_ports = ports + (switches == DemoSwitches::two ? 2 : 0);
    const int64_t ring_frames = pmd::PortRequest{}.rx_descriptors;
    const auto cell = static_cast<int64_t>(std::max(std::bit_ceil(unsigned{frame_octets}), 256U));
    // After an XOFF two rings of frames may still arrive: frames on their way to the switch, and
    // frames sent while the XOFF waits behind a ring of data; and the bursts being processed.
    const int64_t headroom = (2 * ring_frames + 256) * cell;
    const int64_t shared =
        2 * ring_frames * cell * static_cast<int64_t>(std::max<std::size_t>(all_ports, 4));
    // Enough slots for a poll to move more than it receives, even if a burst of long frames is
    // distributed over the VOQs of every other port and three priorities.
    const std::size_t slots = std::clamp<std::size_t>(4 * all_ports, 8, 64);
    const int64_t quantum = std::max(8 * cell, int64_t{4096});
    std::string text = fmt::format(
        "defaults:\n"
        "  speed: {}\n"
        "  lossless: [{}]\n"
        "  pfc: {{xoff: {}, xon: {}, headroom: {}}}\n"
        "buffer: {{size: {}, cell: {}}}\n"
        "fabric: {{quantum: {}, slots: {}}}\n"
        "fdb: {{capacity: {}}}\n"
        "workers: {{cores: [{}]}}\n",
        config::format_rate(demo_speed.count()), demo_lossless, config::format_size(512 * cell),
        config::format_size(256 * cell), config::format_size(headroom),
        config::format_size(shared + static_cast<int64_t>(all_ports) * headroom),
        config::format_size(cell), config::format_size(quantum), slots, addresses, cpu);
    text += port_lines(ports, switches);
    if (!socket.empty()) text += fmt::format("control: {{socket: \"{}\"}}\n", socket);
    return text;
}

DemoSwitch::Started DemoSwitch::start(std::size_t ports, uint16_t frame_octets,
                                      const std::string& socket, uint32_t addresses,
                                      DemoSwitches switches) {
    const std::string text = demo_configuration(ports, frame_octets, pmd::usable_cpus().front(),
                                                socket, addresses, switches);
    auto configuration = config::load_text(text, "embedded");
    if (!configuration) return tl::unexpected(lines_of(configuration.error()));
    return start(std::move(*configuration), socket);
}

DemoSwitch::Started DemoSwitch::start(const std::string& file, const std::string& socket) {
    auto configuration = config::load(file, config::FileKind::any);
    if (!configuration) return tl::unexpected(lines_of(configuration.error()));
    configuration->workers.cores = {static_cast<uint16_t>(pmd::usable_cpus().front())};
    if (!socket.empty()) configuration->control.socket = socket;
    return start(std::move(*configuration), socket);
}

DemoSwitch::Started DemoSwitch::start(config::Configuration configuration,
                                      const std::string& socket) {
    const std::vector<unsigned> cpus = pmd::usable_cpus();
    std::set<std::string> devices;
    for (const config::PortConfig& port : configuration.ports) devices.insert(port.device);
    configuration.lldp.enabled = false;  // LLDP frames would not be in the demo's counts
    control::DaemonOptions options;
    options.runtime.companion_cpus = {cpus[cpus.size() > 1 ? 1 : 0]};
    options.runtime.companion_buffers = configuration.ports.size() * station_frames;
    options.signals = false;
    options.answer = !socket.empty();
    auto daemon = control::Daemon::start(configuration, options);
    if (!daemon) return tl::unexpected(std::move(daemon.error().lines));

    std::unique_ptr<DemoSwitch> demo(new DemoSwitch(std::move(*daemon), cpus.size() == 1));
    control::Runtime& runtime = demo->daemon_->runtime();
    demo->configuration_ = std::move(configuration);
    const std::vector<config::PortConfig>& ports = demo->configuration_.ports;
    for (PortIndex near = 0; near < ports.size(); ++near) {
        const std::string device = far_end(ports[near].device);
        if (devices.contains(device)) continue;
        const pmd::PortRequest far{
            .name = ports[near].name + "/b",
            .device = *pmd::parse_device(device),
            .queues = queues_of(demo->configuration_.settings.ports[near].pfc)};
        auto port = pmd::Port::open(far, runtime.pool());
        if (!port) return tl::unexpected(std::vector{port.error().text()});
        demo->links_.push_back(std::make_unique<DeviceLink>(std::move(*port), runtime.pool()));
        demo->link_views_.push_back(demo->links_.back().get());
        demo->stations_.push_back(near);
    }
    return demo;
}

DemoSwitch::~DemoSwitch() { daemon_->stop(); }

void DemoSwitch::clear_watermarks() {
    const Nanos before = longest_gap();
    daemon_->runtime().dataplane().clear_watermarks();
    attend_until([&] { return longest_gap() < before; }, std::chrono::milliseconds(100));
}

void DemoSwitch::launch(int (*function)(void*), void* argument) {
    control::Runtime& runtime = daemon_->runtime();
    runtime.eal().launch(runtime.workers().count(), function, argument);
}

void DemoSwitch::wait() {
    control::Runtime& runtime = daemon_->runtime();
    runtime.eal().wait(runtime.workers().count());
}

}  // namespace sluice::gen
