// Compares the study of PAXI frames with a simulated pause that spreads from switch to switch
// (5.7.3), and with marks that precede a pause (5.8).
#include <optional>

#include "tools/sim/network/frame_layout.h"
#include "tools/sim/reference/paxi.h"
#include "tools/sim/reference/reference.h"
#include "tools/sim/reference/testbed.h"

namespace sluice::sim {

namespace paxi_pauses {

constexpr std::string_view hops =
    "a study of how an L2 switch treats PAXI frames, 5.7: PFC hop by hop";
constexpr std::string_view marks =
    "a study of how an L2 switch treats PAXI frames, 5.8: ECN before PFC";

double share_of(Picos part, Picos whole) {
    return static_cast<double>(part.count()) / static_cast<double>(whole.count());
}

// A chain at full load: sender, Switch 1, Switch 2, receiver. Its cables are so long that all other
// delays are negligible. The receiver pauses.
class Chain {
  public:
    Chain() {
        constexpr Levels levels{
            .xoff = Bytes(2 * 1536), .xon = Bytes(1536), .headroom = Bytes(1024 * 1024)};
        Settings settings = ports_of(2, cable.speed);
        make_lossless(settings, levels);
        set_pool(settings, Bytes(1024 * 1024));
        add_pair(bed, settings, 1, 1, cable);
        bed.add_flow(0, 1, {.priority = lossless, .mix = frames_of(paxi::standard_frame)});
        bed.host(0).on_sent = [this](const Packet&) { sender_stopped = bed.network.now(); };
        bed.start();
        bed.network.run_for(Nanos(100'000));
        paused = bed.network.now();
        bed.host(1).send_pause(lossless, 0xFFFF);
        uint64_t before = came();
        for (int step = 0; step < 4'000; ++step) {
            bed.network.run_for(Nanos(10));
            if (came() > before) last_came = bed.network.now();
            before = came();
        }
        second_paused = second().pause_begun(0);
        first_paused = first().pause_begun(1);
    }

    [[nodiscard]] Picos round_trip() const { return cable.delay() * 2; }
    [[nodiscard]] double steps_in_order() const {
        const std::array<Picos, 4> times = {paused, second_paused, first_paused, sender_stopped};
        int steps = 0;
        for (std::size_t n = 1; n < times.size(); ++n) steps += times[n - 1] < times[n] ? 1 : 0;
        return steps;
    }

    static constexpr Cable cable{.speed = paxi::speed, .millimetres = 1'000'000};
    Testbed bed;
    Picos paused;
    Picos second_paused;
    Picos first_paused;
    Picos sender_stopped;
    Picos last_came;  // last arrival at Switch 2

  private:
    SwitchNode& first() { return bed.node(0); }
    SwitchNode& second() { return bed.node(1); }
    uint64_t came() { return second().dataplane().counters(0).rx_frames.value(); }
};

// Two hosts send to one, whose queue has the capacity `depth`. Marks begin at `low` percent of it,
// and the port pauses at `high` percent. The study gives typical ranges: `low` is the highest
// typical level for marks, `high` is the lowest typical level for the pause.
class Marking {
  public:
    explicit Marking(BitsPerSecond rate) {
        Settings settings = ports_of(3, paxi::speed);
        make_lossless(settings, {.xoff = Bytes(depth * 80 / 100),
                                 .xon = Bytes(depth * 60 / 100),
                                 .headroom = Bytes(256 * 1024)});
        for (PortSettings& port : settings.ports) {
            port.pfc.trigger = PauseTrigger::egress;
            port.ecn[lossless] = {.low = Bytes(depth * low / 100),
                                  .high = Bytes(depth * high / 100),
                                  .probability_65536 = 65536};
        }
        set_pool(settings, Bytes(2 * depth));
        const Cable cable{.speed = paxi::speed};
        SwitchNode& node = bed_.add_switch(settings, {0, 1, 2});
        for (PortIndex port = 0; port <= receiver; ++port) bed_.add_host(node.port(port), cable);
        for (std::size_t sender = 0; sender < receiver; ++sender) {
            bed_.add_flow(sender, receiver,
                          {.priority = lossless,
                           .mix = frames_of(paxi::standard_frame),
                           .pace = PaceSettings{.rate = rate / 2},
                           .ecn = true});
        }
        bed_.host(receiver).on_arrival = [this](const Packet& packet) { arrived(packet); };
        bed_.start();
        bed_.network.run_until([this] { return paused_at().has_value(); }, Nanos(10'000'000));
    }

    // Returns the time from the first mark at the receiver to the first XOFF at a sender. The mark
    // and the XOFF travel the same distance.
    [[nodiscard]] double ahead_ns() {
        if (!first_mark_ || !paused_at()) return -1;
        return static_cast<double>((*paused_at() - *first_mark_).count()) / 1000;
    }
    // Returns the marked share of the frames that left while the queue grew from `low` to `high`.
    [[nodiscard]] double share_marked() const {
        return static_cast<double>(marked_) / static_cast<double>(left_);
    }

  private:
    static constexpr int64_t depth = 1024 * 1024;
    static constexpr int64_t low = 50;
    static constexpr int64_t high = 80;
    static constexpr PortIndex receiver = 2;

    std::optional<Picos> paused_at() {
        for (std::size_t sender = 0; sender < receiver; ++sender) {
            if (const auto heard = bed_.host(sender).first_pause_received) return *heard;
        }
        return std::nullopt;
    }
    void arrived(const Packet& packet) {
        const bool marked = is_marked(packet);
        if (marked && !first_mark_) first_mark_ = bed_.network.now();
        const int64_t held = bed_.node(0).dataplane().depth({receiver, lossless}).count();
        if (held < depth * low / 100 || held >= depth * high / 100) return;
        ++left_;
        marked_ += marked ? 1 : 0;
    }

    Testbed bed_;
    std::optional<Picos> first_mark_;
    uint64_t left_ = 0;
    uint64_t marked_ = 0;
};

void add_hops(Figures& figures) {
    figures.push_back(
        {"A pause goes from the receiver to Switch 2, to Switch 1 and to the "
         "sender: steps in this order",
         hops, 3, 0, [] { return Chain().steps_in_order(); }});
    figures.push_back(
        {"From the XOFF of Switch 2 to that of Switch 1, XOFF at two frames: round trips", hops, 1,
         0.1, [] {
             const Chain chain;
             return share_of(chain.first_paused - chain.second_paused, chain.round_trip());
         }});
    figures.push_back({"From the XOFF of Switch 2 until the last frame reaches it: round trips",
                       hops, 1, 0.1, [] {
                           const Chain chain;
                           return share_of(chain.last_came - chain.second_paused,
                                           chain.round_trip());
                       }});
    figures.push_back({"Frames lost on this chain while it is held", hops, 0, 0,
                       [] { return static_cast<double>(Chain().bed.dropped()); }});
}

}  // namespace paxi_pauses

void add_paxi_pauses(Figures& figures) {
    using namespace paxi_pauses;
    add_hops(figures);
    static constexpr BitsPerSecond twice = paxi::speed * 2;
    static constexpr BitsPerSecond a_little_more{205'000'000'000};
    figures.push_back(
        {"ECN from 50 to 80 %, PFC at 80 %: ns from the first mark to the "
         "first XOFF, at least",
         marks, 0, 0, [] { return Marking(twice).ahead_ns(); }, Relation::at_least});
    figures.push_back(
        {"ECN, (Q - low)/(high - low) while the queue grows evenly from low "
         "to high: share marked",
         marks, 0.5, 0.02, [] { return Marking(a_little_more).share_marked(); }});
}

}  // namespace sluice::sim
