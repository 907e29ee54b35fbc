// WorstPeer: everything that headroom is for, at once, on one cable.
//
//   port 0  sink      holds the priority, so that nothing leaves the buffer
//   port 1  sender    its frames fill the group up to XOFF, then come as badly as they can
//   port 2  neighbour sends one largest frame of a lossy priority to the sender
//
// Just before XOFF the switch begins to send the neighbour's frame, so the pause frame waits for
// it, travels, and takes effect a response later; until then the sender sends the frames that cost
// most buffer for their time, and an octet before its time is over it begins a largest one.
// The first run finds out when XOFF is; the second is the case.
#pragma once

#include <algorithm>
#include <cstdint>

#include "tests/lossless/star.h"

namespace sluice::test {

inline constexpr Bytes largest{1522};  // of PortSettings::max_frame, without FCS

// What arrives in whole while `window` octets of the wire pass, and a largest frame that began as
// the last of them did: lengths with FCS, those that charge most.
inline std::vector<int64_t> worst_frames(Bytes window, Bytes cell) {
    const int64_t overhead = wire_overhead.count();
    std::vector<int64_t> lengths;
    if (cell.count() == 1) {  // each octet of the wire that is none of a frame is one less
        const int64_t most = largest.count() + overhead;
        const int64_t frames = (window.count() + most - 1) / most;
        for (int64_t n = 0; n < frames; ++n) {
            const int64_t wire = window.count() / frames + (n < window.count() % frames ? 1 : 0);
            lengths.push_back(wire - overhead + fcs.count());
        }
    } else {  // those that just do not fit a cell, or two
        const auto charge_of_a_wire_octet = [&](int64_t length) {
            return static_cast<double>((length + cell.count() - 1) / cell.count() * cell.count()) /
                   static_cast<double>(length + overhead);
        };
        int64_t worst = 60;
        if (charge_of_a_wire_octet(cell.count() + 1) > charge_of_a_wire_octet(worst)) {
            worst = cell.count() + 1;
        }
        const int64_t frames = window.count() / (worst + overhead);
        lengths.assign(static_cast<std::size_t>(frames), worst + fcs.count());
        lengths.front() += window.count() % (worst + overhead);
    }
    lengths.push_back((largest + fcs).count());
    return lengths;
}

class WorstPeer {
  public:
    explicit WorstPeer(const StarSpec& spec) : spec_(spec) {
        const Picos octet = octet_time(spec.cable.speed);
        const Picos xoff_at = run(Picos(0), {});
        // The neighbour's frame has just been begun; behind it goes the pause frame up to its FCS.
        const Bytes pause_frame = Bytes(pause_frame_octets) + wire_overhead - gap;
        const Picos silent_at = xoff_at + octet * (largest + wire_overhead + pause_frame).count() +
                                spec.cable.delay() + picos(spec.response);
        const Picos next_begins = xoff_at - spec.cable.delay() + octet * gap.count();
        const Bytes window((silent_at - next_begins).count() / octet.count() - 2);
        run(xoff_at - octet, worst_frames(window, spec.cell));
    }

    // Of the case, at its end.
    Star& star() { return *star_; }

  private:
    static constexpr PortIndex sink = 0;
    static constexpr PortIndex sender = 1;
    static constexpr PortIndex neighbour = 2;

    // The neighbour's frame arrives at `disturbed`, if at all. Returns when the switch decided upon
    // XOFF: when its pause frame begins, where nothing is before it.
    Picos run(Picos disturbed, const std::vector<int64_t>& after_xoff) {
        star_ = std::make_unique<Star>(spec_);
        Star& star = *star_;
        star.host(sink).send_pause(lossless, 0xFFFF);
        star.network.run_for(Nanos(10'000));

        sim::Flow flow{.to = station(sink),
                       .priority = lossless,
                       .mix = {(largest + fcs).count(), (largest + fcs).count()}};
        flow.script.assign(frames_to_xoff_, 1000);
        flow.script.insert(flow.script.end(), after_xoff.begin(), after_xoff.end());
        star.add_flow(sender, flow);
        star.start();
        if (disturbed > Picos(0)) {
            const Picos takes = spec_.cable.time_of(largest + wire_overhead - gap);
            star.network.run_until(disturbed - takes - spec_.cable.delay());
            star.add_flow(neighbour, {.to = station(sender),
                                      .priority = lossy,
                                      .script = {(largest + fcs).count()},
                                      .stops_after_script = true});
            star.host(neighbour).look();
        }
        const auto pauses = [&] { return star.node.pause_begun(sender) > Picos(0); };
        EXPECT_TRUE(star.network.run_until(pauses, Nanos(10'000'000), Nanos(20)));
        const Picos decided = star.node.pause_begun(sender);
        frames_to_xoff_ = star.node.dataplane().counters(sender).rx_frames.value();
        // Until all that comes has come; the sink still holds.
        star.network.run_for(spec_.response + Nanos(100'000));
        return decided;
    }

    StarSpec spec_;
    std::size_t frames_to_xoff_ = 10'000;
    std::unique_ptr<Star> star_;
};

}  // namespace sluice::test
