#include "tools/gen/demo/live.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>

#include "tools/common/quantities.h"
#include "tools/common/table.h"
#include "tools/gen/probe.h"
#include "tools/gen/report.h"
#include "tools/gen/streams.h"

namespace sluice::gen {
namespace {

using namespace std::chrono_literals;
using cli::Format;

// Within 80 columns: a line that the terminal wraps would not be cleared by the next drawing.
constexpr std::array<cli::Column, 8> columns = {{
    {"port", "port"},
    {"rx", "rx", Format::per_second},
    {"tx", "tx", Format::per_second},
    {"tx rate", "tx_rate", Format::rate},
    {"waits", "waiting", Format::size},
    {"pauses", "pausing", Format::list},
    {"paused", "paused", Format::share},
    {"dropped", "dropped", Format::count},
}};

double a_second(uint64_t later, uint64_t earlier, double seconds) {
    return static_cast<double>(later - earlier) / seconds;
}

// Returns the bits a second on the wire of frames with `octets` without FCS.
double bits_a_second(uint64_t octets, uint64_t frames, double seconds) {
    return static_cast<double>(octets + frames * fcs_octets) * 8 / seconds;
}

// Returns the octets charged to all VOQs for the port.
uint64_t waiting_for(const Switch& fabric, PortIndex output) {
    uint64_t octets = 0;
    for (PortIndex input = 0; input < fabric.port_count(); ++input) {
        for (Priority priority = 0; priority < max_priorities; ++priority) {
            octets +=
                static_cast<uint64_t>(fabric.ingress(input).voq(output, priority).bytes().count());
        }
    }
    return octets;
}

Json priorities_in(PrioritySet set) {
    Json list = Json::array();
    for (Priority priority = 0; priority < max_priorities; ++priority) {
        if ((set & only_priority(priority)) != 0) list.push_back(fmt::format("{}", priority));
    }
    return list;
}

}  // namespace

DemoLive::DemoLive(const Switch& fabric)
    : fabric_(fabric),
      terminal_(::isatty(STDERR_FILENO) == 1),
      drawn_(Clock::now()),
      before_(fabric.port_count()) {}

DemoLive::PortReading DemoLive::read(PortIndex port) const {
    const PortCounters& counters = fabric_.counters(port);
    PortReading reading{counters.rx_frames.value(), counters.tx_frames.value(),
                        counters.tx_bytes.value(),
                        counters.drops.total() - counters.drops.of(Drop::mac_control) +
                            counters.egress_drops.total()};
    for (Priority priority = 0; priority < max_priorities; ++priority) {
        reading.paused_nanos +=
            static_cast<uint64_t>(fabric_.egress(port).gate().history(priority).ended().count());
    }
    return reading;
}

void DemoLive::look(const PhasePlan& plan) {
    const auto passed = Clock::now() - drawn_;
    if (passed < (terminal_ ? 500ms : 1000ms)) return;
    std::vector<PortReading> now;
    for (PortIndex port = 0; port < fabric_.port_count(); ++port) now.push_back(read(port));
    const double seconds = std::chrono::duration<double>(passed).count();
    terminal_ ? draw(plan, seconds, now) : write_line(plan, seconds, now);
    drawn_ += passed;
    before_ = std::move(now);
}

void DemoLive::draw(const PhasePlan& plan, double seconds, const std::vector<PortReading>& now) {
    Json rows = Json::array();
    for (PortIndex port = 0; port < now.size(); ++port) {
        const PortReading& late = now[port];
        const PortReading& early = before_[port];
        const uint64_t received = late.rx_frames - early.rx_frames;
        const uint64_t sent = late.tx_frames - early.tx_frames;
        rows.push_back({{"port", fmt::format("p{}", port)},
                        {"rx", static_cast<double>(received) / seconds},
                        {"tx", static_cast<double>(sent) / seconds},
                        {"tx_rate", bits_a_second(late.tx_bytes - early.tx_bytes, sent, seconds)},
                        {"waiting", waiting_for(fabric_, port)},
                        {"pausing", priorities_in(fabric_.ingress(port).pause_sender().pausing())},
                        {"paused", a_second(late.paused_nanos, early.paused_nanos, seconds) / 1e9},
                        {"dropped", late.dropped}});
    }
    std::string text = fmt::format("{}: {}\n", plan.name, plan.title);
    text += cli::render_table(rows, columns);
    // Move the cursor up to the start of the last drawing. Each line clears the one it replaces.
    std::string drawing = lines_ > 0 ? fmt::format("\x1b[{}A", lines_) : std::string();
    for (const char letter : text) {
        if (letter == '\n') drawing += "\x1b[K";
        drawing += letter;
    }
    lines_ = static_cast<std::size_t>(std::ranges::count(text, '\n'));
    say(drawing);
}

void DemoLive::write_line(const PhasePlan& plan, double seconds,
                          const std::vector<PortReading>& now) {
    uint64_t frames = 0;
    uint64_t octets = 0;
    uint64_t dropped = 0;
    uint64_t waiting = 0;
    for (PortIndex port = 0; port < now.size(); ++port) {
        frames += now[port].tx_frames - before_[port].tx_frames;
        octets += now[port].tx_bytes - before_[port].tx_bytes;
        dropped += now[port].dropped - before_[port].dropped;
        waiting += waiting_for(fabric_, port);
    }
    const Tally tally = tally_of(fabric_);
    say(fmt::format("{}: sends {:.3f} Mpps, {}; {} waits; PFC sent {}, received {}; dropped {}\n",
                    plan.name, static_cast<double>(frames) / seconds / 1e6,
                    cli::show_rate(bits_a_second(octets, frames, seconds)),
                    cli::show_size(static_cast<double>(waiting)), tally.pauses_sent,
                    tally.pauses_received, cli::show_count(dropped)));
}

}  // namespace sluice::gen
