// Ingress: one input port: its VOQs, its (input, priority) groups, and who may enter.
//
// `admit` charges a frame to an account, or says why it may not wait:
//   lossy     the VOQ may hold reserved + alpha x (what of the pool is free)
//   lossless  the group takes from the pool up to XOFF; beyond, it pauses its peer and what is
//             still under way stands in the group's headroom
// `move` takes frames back out towards an output and releases what they were charged.
// Bound: O(1) a frame. The port's worker alone touches it; counters may be read.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <vector>

#include "dataplane/buffer/dynamic_threshold.h"
#include "dataplane/buffer/frame_pool.h"
#include "dataplane/buffer/ingress_group.h"
#include "dataplane/buffer/voq.h"
#include "dataplane/drops.h"
#include "dataplane/fabric/crossbar.h"
#include "dataplane/frame.h"
#include "dataplane/ingress/classify.h"
#include "dataplane/pfc/xoff.h"
#include "dataplane/settings.h"

namespace sluice {

class Ingress {
  public:
    // What an input shares with the rest of the switch.
    struct Surroundings {
        WorkerIndex worker;
        SharedPool& pool;
        FramePool& frames;
        Crossbar& crossbar;
    };

    Ingress(PortIndex self, std::size_t ports, const Surroundings& around);
    void configure(const Settings& settings);

    [[nodiscard]] const PortSettings& settings() const { return settings_; }
    [[nodiscard]] Priority classify(const Headers& headers) const { return classifier_(headers); }

    // Queues the frame for `output`, or says why not.
    Drop admit(const Frame& frame, PortIndex output);
    // Takes up to a quantum (at least a frame, if there is one) from the VOQ into `out`.
    std::size_t move(Grant grant, std::span<Frame, max_transfer> out);
    // Empties VOQs towards `outputs` into `out`; fewer than asked for: there are no more.
    std::size_t flush(PortSet outputs, std::span<Frame> out);

    Xoff& xoff() { return xoff_; }

    [[nodiscard]] const Xoff& xoff() const { return xoff_; }
    [[nodiscard]] const Voq& voq(PortIndex output, Priority priority) const {
        return voqs_[output * max_priorities + priority];
    }
    [[nodiscard]] const IngressGroup& group(Priority priority) const { return groups_[priority]; }

  private:
    Voq& voq(PortIndex output, Priority priority) {
        return voqs_[output * max_priorities + priority];
    }
    [[nodiscard]] bool lossless(Priority priority) const {
        return (settings_.pfc.lossless & only_priority(priority)) != 0;
    }
    Drop admit_lossy(const Voq& voq, Bytes charge, Account& account) const;
    Drop admit_lossless(Priority priority, Bytes charge, Account& account) const;
    // Gives back what `frames`, all of one priority, were charged; returns the sum.
    Bytes release(std::span<const Frame> frames);

    PortIndex self_;
    Surroundings around_;
    PortSettings settings_;
    BufferSettings buffer_;
    Bytes quantum_;
    Classifier classifier_;
    Xoff xoff_;
    std::array<IngressGroup, max_priorities> groups_;
    std::vector<Voq> voqs_;  // [output][priority]
};

}  // namespace sluice
