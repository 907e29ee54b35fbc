// The recorder beside a model that looks at every queue after every poll: the bursts that are found
// in a recording are the model's, with start, end, depth, who fed them and what it cost.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "control/recorder/burst_finder.h"
#include "dataplane/recorder/reel.h"
#include "dataplane/types/random.h"
#include "tests/property/draw.h"
#include "tests/support/rig.h"

namespace sluice::property {
namespace {

using namespace literals;
using control::Burst;
using control::Recording;

struct PathCount {
    uint64_t came = 0;
    uint64_t dropped = 0;
    uint64_t waiting = 0;
};

// The state of one queue in the model.
struct Seen {
    std::map<PortIndex, PathCount> before;  // by input
    bool is_open = false;
    Burst burst;
    std::map<PortIndex, PathCount> fed;
    std::map<PortIndex, uint64_t> least;  // that came for certain, where that is not known exactly
};

class Model {
  public:
    explicit Model(const test::Rig& rig) : rig_(rig) {}

    void look(Nanos now) {
        const auto ports = static_cast<PortIndex>(rig_.dataplane.port_count());
        for (PortIndex output = 0; output < ports; ++output) {
            for (Priority priority : {Priority{0}, Priority{3}}) look({output, priority}, now);
        }
    }
    struct Found {
        Burst burst;
        std::map<PortIndex, PathCount> fed;
        std::map<PortIndex, uint64_t> least;
    };
    std::vector<Found> found;

  private:
    void look(QueueKey key, Nanos now) {
        Seen& queue = queues_[{key.output, key.priority}];
        const EgressQueue& egress = rig_.dataplane.egress(key.output).queue(key.priority);
        auto octets = static_cast<uint64_t>(egress.bytes().count());
        std::map<PortIndex, PathCount> grown;
        bool drops = false;
        for (PortIndex port = 0; port < rig_.dataplane.port_count(); ++port) {
            const Ingress& input = rig_.dataplane.ingress(port);
            const Voq& voq = input.voq(key.output, key.priority);
            octets += voq.backlog().value();
            const PathCount now_seen{voq.enqueued() + input.bypassed(key), input.dropped(key),
                                     voq.waiting() + egress.waiting()};
            PathCount& before = queue.before[port];
            grown[port] = {now_seen.came - before.came, now_seen.dropped - before.dropped,
                           now_seen.waiting};
            drops = drops || now_seen.dropped != before.dropped;
            before = now_seen;
        }
        const bool begins = !queue.is_open && (octets > 0 || drops);
        if (begins) {
            queue.is_open = true;
            queue.burst = {};
            queue.burst.output = key.output;
            queue.burst.priority = key.priority;
            queue.burst.start = now;
            queue.fed.clear();
            queue.least.clear();
        }
        if (!queue.is_open) return;
        for (const auto& [port, more] : grown) {
            queue.fed[port].came += more.came;
            queue.fed[port].dropped += more.dropped;
            queue.least[port] += begins ? std::min(more.came, more.waiting) : more.came;
        }
        queue.burst.peak = std::max(queue.burst.peak, octets);
        if (octets > 0) return;
        queue.burst.end = now;
        queue.is_open = false;
        found.push_back({queue.burst, queue.fed, queue.least});
    }

    const test::Rig& rig_;
    std::map<std::pair<PortIndex, Priority>, Seen> queues_;
};

Settings draw_slow_outputs(std::size_t ports) {
    Settings settings = test::settings_of(ports);
    settings.fabric.bypass = between<int>(0, 1) == 1;
    settings.buffer.size = Bytes(one_of<int64_t>({16'384, 65'536, 1 << 20}));
    for (PortSettings& port : settings.ports) {
        port.rate = BitsPerSecond(one_of<int64_t>({100'000'000, 1'000'000'000, 0}));
    }
    return settings;
}

RecorderSettings of_every_poll() {
    RecorderSettings settings;
    settings.period = Nanos(0);
    settings.before = 1_s;
    settings.after = 1_us;
    settings.memory = 8_MiB;
    return settings;
}

Recording recording_of(const Reel& reel, std::size_t ports) {
    Recording recording;
    recording.trigger = *reel.finished()->trigger;
    recording.begin = Nanos(0);
    recording.end = reel.finished()->end;
    recording.workers.emplace_back();
    const auto [older, newer] = reel.entries_of(*reel.finished());
    recording.workers[0].entries.assign(older.begin(), older.end());
    recording.workers[0].is_whole = newer.empty();
    for (PortIndex port = 0; port < ports; ++port) recording.port_of.push_back(port);
    return recording;
}

void check(const Burst& burst, const Model::Found& model) {
    RC_LOG() << "output " << int{burst.output} << ": " << burst.start.count() << " to "
             << burst.end.count() << ", " << burst.peak << " octets, " << burst.dropped
             << " dropped; the model: " << int{model.burst.output} << ": "
             << model.burst.start.count() << " to " << model.burst.end.count() << ", "
             << model.burst.peak << " octets\n";
    RC_ASSERT(burst.output == model.burst.output);
    RC_ASSERT(burst.priority == model.burst.priority);
    RC_ASSERT(burst.start == model.burst.start);
    RC_ASSERT(burst.end == model.burst.end);
    RC_ASSERT(burst.peak == model.burst.peak);
    RC_ASSERT(!burst.is_older && !burst.goes_on);
    uint64_t came = 0;
    for (const auto& [port, fed] : model.fed) {
        const auto feeder = std::ranges::find(burst.feeders, port, &Burst::Feeder::port);
        const Burst::Feeder told = feeder == burst.feeders.end() ? Burst::Feeder{} : *feeder;
        RC_ASSERT(told.dropped == fed.dropped);
        RC_ASSERT(told.came <= fed.came);
        RC_ASSERT(told.came >= model.least.at(port));
        came += told.came;
    }
    RC_ASSERT(burst.came == came);
}

RC_GTEST_PROP(Recorder, FindsTheBurstsThatAModelSees, ()) {
    const auto ports = between<std::size_t>(2, 4);
    test::Rig rig(draw_slow_outputs(ports));
    TriggerBoard board(1);
    const auto reel = std::make_unique<Reel>(of_every_poll(), board, ports, ports);
    rig.dataplane.reel_slot(0).give(reel.get());
    Model model(rig);
    Random random(wide<uint64_t>(0, INT32_MAX));
    const auto polls = wide<int>(10, 150);
    uint64_t dropped = 0;
    const auto poll = [&] {
        rig.poll();
        uint64_t now_dropped = 0;
        for (PortIndex port = 0; port < ports; ++port) {
            now_dropped += rig.dataplane.counters(port).drops.total();
        }
        // A drop where all else left in its poll is found some samples later, as the README says.
        if (now_dropped != dropped && rig.dataplane.empty()) RC_DISCARD();
        dropped = now_dropped;
        model.look(rig.now);
        rig.now += Nanos(200 + random.next() % 5000);
    };
    for (int n = 0; n < 40; ++n) poll();  // a round of all paths
    for (int n = 0; n < polls; ++n) {
        if (random.next() % 3 == 0) {
            for (PortIndex from = 0; from < ports; ++from) {
                if (random.next() % 2 == 0) continue;
                const auto to =
                    static_cast<PortIndex>((from + 1 + random.next() % (ports - 1)) % ports);
                const auto pcp = static_cast<uint8_t>(random.next() % 2 * 3);
                const test::FrameSpec spec{.to = test::station(to), .tag = test::Tag{.pcp = pcp}};
                rig.receive(InputIndex(from), std::string(1 + random.next() % 30, 'x'), spec);
            }
        }
        poll();
    }
    for (int n = 0; n < 3000 && !rig.dataplane.empty(); ++n) poll();
    RC_ASSERT(rig.dataplane.empty());
    reel->want();
    for (int n = 0; n < 20; ++n) poll();
    RC_ASSERT(reel->finished() != nullptr);
    const std::vector<Burst> bursts = control::find_bursts(recording_of(*reel, ports), 0);
    std::ranges::stable_sort(model.found, {}, [](const Model::Found& one) {
        return std::tuple(one.burst.start, one.burst.output, one.burst.priority);
    });
    std::vector<Burst> sorted = bursts;
    std::ranges::stable_sort(sorted, {}, [](const Burst& one) {
        return std::tuple(one.start, one.output, one.priority);
    });
    RC_CLASSIFY(!sorted.empty());
    RC_CLASSIFY(sorted.size() > 3);
    RC_ASSERT(sorted.size() == model.found.size());
    for (std::size_t n = 0; n < sorted.size(); ++n) check(sorted[n], model.found[n]);
    rig.dataplane.reel_slot(0).give(nullptr);
    rig.poll();
}

}  // namespace
}  // namespace sluice::property
