// Compares notes on flow control with the switch in virtual time, over a cable: the worst-case
// headroom after an XOFF, and the least credit that keeps the wire busy.
//
// The notes plot headroom over length with an MTU of 9216 octets, a pause frame of 64, 250 ns for
// an interface and 100 ns for higher layers. Here the headroom covers: a frame before the pause
// frame, the pause frame, the cable, 600 ns until the pause takes effect (two interfaces and the
// layers), a frame that has just begun at that time, and the cable again.
#include <fmt/format.h>

#include <cstdlib>
#include <deque>

#include "tools/sim/reference/reference.h"
#include "tools/sim/reference/testbed.h"
#include "tools/sim/scenario/run.h"

namespace sluice::sim {

namespace flow_control_cable {

constexpr std::string_view headroom_source =
    "notes on flow control, headroom over the link's length";
constexpr std::string_view credit_source = "notes on flow control, credits beside XON/XOFF";
constexpr Bytes mtu{9216};
constexpr Bytes longest = mtu - fcs;
constexpr Bytes pause_frame{64};
constexpr Nanos acts_after{2 * 250 + 100};

Cable cable_of(int64_t gigabits, int64_t metres) {
    return {.speed = BitsPerSecond(gigabits * 1'000'000'000), .millimetres = metres * 1000};
}
double octets_in(const Cable& cable, Picos span) {
    return static_cast<double>(span.count()) / static_cast<double>(octet_time(cable.speed).count());
}
double bdp(const Cable& cable) { return octets_in(cable, cable.delay() * 2); }
double headroom_by_formula(const Cable& cable) {
    return static_cast<double>((mtu * 2 + pause_frame).count()) +
           octets_in(cable, picos(acts_after)) + bdp(cable);
}

// --- frames that arrive after an XOFF ---

// The sender fills its ingress priority group up to XOFF. If `disturbed` is set, the switch has
// received a frame of the other host at that time. The switch sends this frame to the sender, so
// that the frame is on the wire when the pause frame is due.
struct Case {
    Picos disturbed;
    std::size_t before_xoff = 10'000;  // frames
    std::deque<int64_t> after_xoff{};
};
struct Found {
    Picos xoff_at;
    std::size_t frames;
    Bytes headroom;
};

Found run(const Cable& cable, const Case& with) {
    constexpr Bytes filling{1000};
    Settings settings = ports_of(3, cable.speed);
    settings.buffer.cell = Bytes(1);
    for (PortSettings& port : settings.ports) port.max_frame = longest;
    make_lossless(settings, {Bytes(64 * 1024), Bytes(0), Bytes(16 * 1024 * 1024)});
    set_pool(settings, Bytes(1024 * 1024));
    Testbed bed;
    SwitchNode& node = bed.add_switch(settings, {0, 1, 2});
    const Cable beside = {.speed = cable.speed};
    bed.add_host(node.port(0), beside).send_pause(lossless, 0xFFFF);
    bed.add_host(node.port(1), cable).sender.set_response(acts_after);
    bed.add_host(node.port(2), beside);
    bed.network.run_for(Nanos(1'000));
    Flow flow{.priority = lossless, .mix = frames_of(mtu)};
    flow.script.assign(with.before_xoff, filling.count());
    flow.script.insert(flow.script.end(), with.after_xoff.begin(), with.after_xoff.end());
    bed.add_flow(1, 0, flow);
    bed.host(1).look();
    if (with.disturbed > Picos(0)) {
        const Picos takes = cable.time_of(longest + wire_overhead - gap) + beside.delay();
        bed.network.run_until(with.disturbed - takes);
        bed.add_flow(2, 1,
                     {.priority = lossy, .script = {mtu.count()}, .stops_after_script = true});
        bed.host(2).look();
    }
    const auto pauses = [&] { return node.pause_begun(1) > Picos(0); };
    bed.network.run_until(pauses, Nanos(1'000'000), Nanos(20));
    const Found found{node.pause_begun(1), node.dataplane().counters(1).rx_frames.value(), {}};
    bed.network.run_for(nanos(cable.delay() * 3) + Nanos(20'000));
    const IngressPriorityGroup& group = node.dataplane().ingress(1).group(lossless);
    return {found.xoff_at, found.frames, Bytes(static_cast<int64_t>(group.headroom_max()))};
}

// The first run finds the time of XOFF; the second run is the worst case: the sender's frames fill
// the time until the pause takes effect, and just before that the sender begins a longest frame.
double worst_headroom(const Cable& cable) {
    const Found free = run(cable, {});
    const Picos octet = octet_time(cable.speed);
    const Bytes before = longest + wire_overhead + Bytes(pause_frame_octets) + wire_overhead - gap;
    const Picos silent = free.xoff_at + octet * before.count() + cable.delay() + picos(acts_after);
    const Picos next_begins = free.xoff_at - cable.delay() + octet * gap.count();
    const int64_t window = (silent - next_begins).count() / octet.count() - 2;
    const int64_t most = (longest + wire_overhead).count();
    const int64_t frames = (window + most - 1) / most;
    Case worst{.disturbed = free.xoff_at - octet, .before_xoff = free.frames};
    for (int64_t n = 0; n < frames; ++n) {
        const int64_t wire = window / frames + (n < window % frames ? 1 : 0);
        worst.after_xoff.push_back(wire - (wire_overhead - fcs).count());
    }
    worst.after_xoff.push_back(mtu.count());
    return static_cast<double>(run(cable, worst).headroom.count());
}

// --- credit ---

constexpr Bytes tagged_header{18};

// Simulates a flow from one host through two switches to another; the link between the switches has
// the given credit.
FlowResult by_credit(const Cable& cable, Bytes frame, const std::string& credit) {
    const std::string text = fmt::format(R"(
run: {{time: 2ms, warmup: 500us}}
cable: {{speed: {0}, flow_control: credit}}
switch:
  buffer: {{size: 64MiB, cell: 1B}}
  fabric: {{quantum: 16KiB}}
  defaults: {{lossless: [3], mtu: {1}B}}
switches: [{{name: s}}, {{name: t}}]
hosts: [{{name: a, switch: s}}, {{name: b, switch: t}}]
links: [{{between: [s, t], length: {2}mm, credit: {{{3}}}}}]
flows: [{{from: a, to: b, priority: 3, size: {4}B}}]
)",
                                         cable.speed.count(), (frame - fcs - tagged_header).count(),
                                         cable.millimetres, credit, frame.count());
    const auto scenario = read_scenario(text, "a figure");
    if (!scenario) std::abort();
    return simulate(*scenario).flows[0];
}
double share_of_the_rate(const Cable& cable, Bytes frame, const std::string& credit) {
    const double on_wire = static_cast<double>((frame - fcs + wire_overhead).count()) /
                           static_cast<double>(frame.count());
    return by_credit(cable, frame, credit).throughput * on_wire /
           static_cast<double>(cable.speed.count());
}
// Settings that change the credit that the cable needs.
constexpr const char* in_quanta = "quantum: 36KiB, lost: 0.01";

// Returns the least credit that keeps the wire busy, in frames.
double least_credit(const Cable& cable, Bytes frame) {
    const int64_t charge = (frame - fcs).count();
    int64_t too_little = 0;
    int64_t enough = static_cast<int64_t>(bdp(cable)) / charge + 4;
    while (enough - too_little > 1) {
        const int64_t middle = (enough + too_little) / 2;
        const std::string credit = fmt::format("buffer: {}B", middle * charge);
        const bool is_enough = share_of_the_rate(cable, frame, credit) > 0.9993;
        (is_enough ? enough : too_little) = middle;
    }
    return static_cast<double>(enough);
}

}  // namespace flow_control_cable

void add_flow_control_cable(Figures& figures) {
    using namespace flow_control_cable;
    for (const auto& [gigabits, metres] :
         {std::pair{100, 5}, {100, 300}, {100, 10'000}, {400, 300}, {400, 2'000}}) {
        const Cable cable = cable_of(gigabits, metres);
        const double expected = headroom_by_formula(cable);
        figures.push_back({fmt::format("XOFF, {}G over {} m, MTU 9216: most headroom used, octets",
                                       gigabits, metres),
                           headroom_source, expected, 0.015 * expected,
                           [cable] { return worst_headroom(cable); }});
    }
    for (const int metres : {2'000, 10'000}) {
        const Cable cable = cable_of(100, metres);
        constexpr Bytes frame{1522};
        constexpr auto on_wire = static_cast<double>((frame - fcs + wire_overhead).count());
        figures.push_back({fmt::format("Least credit that keeps 100G over {} m busy, in octets of "
                                       "the wire, frames of 1522: one BDP, to four frames",
                                       metres),
                           credit_source, bdp(cable), 4 * on_wire,
                           [=] { return least_credit(cable, frame) * on_wire; }});
    }
    for (const int metres : {5, 300, 10'000}) {
        const Cable cable = cable_of(100, metres);
        constexpr auto frame = static_cast<double>(longest.count());
        figures.push_back({fmt::format("Least credit that keeps 100G over {} m busy, in octets of "
                                       "buffer, MTU 9216: one BDP, to four frames",
                                       metres),
                           credit_source, bdp(cable), 4 * frame,
                           [cable] { return least_credit(cable, mtu) * frame; }});
        figures.push_back({fmt::format("100G over {} m, MTU 9216, credit given in quanta of four "
                                       "frames, 1 % of that lost: share of the rate",
                                       metres),
                           credit_source, 1, 0.0007,
                           [cable] { return share_of_the_rate(cable, mtu, in_quanta); }});
        figures.push_back({fmt::format("100G over {} m, MTU 9216, credit given in quanta of four "
                                       "frames, 1 % of that lost: frames that do not arrive",
                                       metres),
                           credit_source, 0, 0, [cable] {
                               const FlowResult flow = by_credit(cable, mtu, in_quanta);
                               return static_cast<double>(flow.lost + flow.waiting);
                           }});
        figures.push_back(
            {fmt::format("100G over {} m, MTU 9216: buffer under XON/XOFF, headroom and a "
                         "hysteresis of the reaction, over that under credits, at least",
                         metres),
             credit_source, 1, 0,
             [cable] {
                 const double reaction =
                     headroom_by_formula(cable) - bdp(cable) / 2 - static_cast<double>(mtu.count());
                 const double credit =
                     least_credit(cable, mtu) * static_cast<double>(longest.count());
                 return (worst_headroom(cable) + reaction) / credit;
             },
             Relation::at_least});
    }
}

}  // namespace sluice::sim
