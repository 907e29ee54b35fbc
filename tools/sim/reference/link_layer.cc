// Compares the pipeline of a published network simulator with a simulated link between two
// switches: one pause from its cause to its end. The receiver pauses the second switch and later
// releases it.
#include <algorithm>

#include "tools/sim/reference/reference.h"
#include "tools/sim/reference/testbed.h"

namespace sluice::sim {

namespace link_layer {

constexpr std::string_view source = "L2 frames and PFC of a network simulator";
constexpr BitsPerSecond speed{100'000'000'000};
constexpr Bytes frame{1284};      // its length without the FCS fills whole cells
constexpr Bytes neighbour{1522};  // sent in the other direction all the time
constexpr Levels levels{
    .xoff = Bytes(20 * 1280), .xon = Bytes(10 * 1280), .headroom = Bytes(128 * 1024)};
constexpr Quanta pause{2000};
constexpr Nanos step{1};

class Pipeline {
  public:
    Pipeline() {
        Settings settings = ports_of(2, speed);
        make_lossless(settings, levels);
        for (PortSettings& port : settings.ports) port.pfc.pause = pause;
        set_pool(settings, Bytes(1024 * 1024));
        add_pair(bed_, settings, 1, 1, {.speed = speed});
        bed_.add_flow(0, 1, {.priority = lossless, .mix = frames_of(frame), .pace = half()});
        bed_.add_flow(0, 1, {.priority = lossy, .mix = frames_of(frame), .pace = half()});
        bed_.add_flow(1, 0, {.priority = lossy, .mix = frames_of(neighbour)});
        bed_.start();
        bed_.network.run_for(Nanos(20'000));
        bed_.host(1).send_pause(lossless, 0xFFFF);
        watch_xoff();
        watch_hold();
        bed_.host(1).send_pause(lossless, 0);
        watch_xon();
        bed_.network.run_for(Nanos(20'000));
        bed_.drain();
        missed = static_cast<double>(bed_.missed(lossless) + bed_.missed(lossy));
    }

    double at_xoff = 0;       // octets of the ingress priority group at the decision to pause
    double at_xon = 0;        // octets of that group at the decision to resume
    double pause_waited = 0;  // ns that the XOFF waited for the frame on the wire
    double refreshed = 0;     // longest time between two pause frames, in ns
    // Frames of the priority that arrived a round trip or more after the XOFF.
    double came_in_pause = 0;
    // Received share of the lossy frames that were sent during the pause.
    double others_in_pause = 0;
    double missed = 0;

  private:
    static PaceSettings half() { return {.rate = speed / 2}; }

    [[nodiscard]] const Ingress& input() { return second().dataplane().ingress(0); }
    SwitchNode& second() { return bed_.node(1); }
    double held() { return static_cast<double>(input().group(lossless).used().count()); }
    bool pauses() { return input().pause_sender().pausing(lossless); }
    void run_while(bool pausing) {
        while (pauses() == pausing) bed_.network.run_for(step);
    }

    void watch_xoff() {
        run_while(false);
        at_xoff = held();
        const Picos decided = bed_.network.now();
        while (second().pause_begun(0) == Picos(0)) bed_.network.run_for(step);
        pause_waited = static_cast<double>((second().pause_begun(0) - decided).count()) / 1000;
    }
    void watch_hold() {
        bed_.network.run_for(Nanos(1'000));
        const uint64_t before = input().voq(1, lossless).enqueued();
        const uint64_t others_sent = bed_.host(0).sender.sent(lossy);
        const uint64_t others_came = bed_.host(1).sink.received(lossy);
        Picos last = second().pause_begun(0);
        Picos longest;
        for (int n = 0; n < 10'000; ++n) {
            bed_.network.run_for(Nanos(10));
            longest = std::max(longest, second().pause_begun(0) - last);
            last = second().pause_begun(0);
        }
        refreshed = static_cast<double>(longest.count()) / 1000;
        came_in_pause = static_cast<double>(input().voq(1, lossless).enqueued() - before);
        others_in_pause = static_cast<double>(bed_.host(1).sink.received(lossy) - others_came) /
                          static_cast<double>(bed_.host(0).sender.sent(lossy) - others_sent);
    }
    void watch_xon() {
        run_while(true);
        at_xon = held();
    }

    Testbed bed_;
};

}  // namespace link_layer

void add_link_layer(Figures& figures) {
    using namespace link_layer;
    const auto add = [&](std::string_view name, double expected, double tolerance,
                         double Pipeline::*measured, Relation relation = Relation::about) {
        figures.push_back({std::string(name), source, expected, tolerance,
                           [measured] { return Pipeline().*measured; }, relation});
    };
    const auto in_ns = [](Nanos time) { return static_cast<double>(time.count()); };
    add("Pause when occupancy >= xoff: octets held then", static_cast<double>(levels.xoff.count()),
        0, &Pipeline::at_xoff);
    add("A pause frame waits for the frame on the wire: ns, at most",
        in_ns(transmission_time(neighbour + preamble + gap, speed)), 0, &Pipeline::pause_waited,
        Relation::at_most);
    add("Pause frames are refreshed before the pause ends: longest time between, ns, at most",
        in_ns(pause_time(pause, speed)), 0, &Pipeline::refreshed, Relation::at_most);
    add("While paused: frames of the priority that arrive", 0, 0, &Pipeline::came_in_pause);
    add("While it holds: frames of another priority received, of those sent", 1, 0.01,
        &Pipeline::others_in_pause);
    add("Resume when occupancy <= xon: octets held then, at most",
        static_cast<double>(levels.xon.count()), 0, &Pipeline::at_xon, Relation::at_most);
    add("After it: frames lost or out of order", 0, 0, &Pipeline::missed);
}

}  // namespace sluice::sim
