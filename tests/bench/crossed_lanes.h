// Crossed lanes: like crossed rings, but without devices: queues of frames in memory, for switches
// of more ports than DPDK has devices. A lane costs its user a copy of 24 octets a frame, and the
// prefetch of its first octets that a port makes.
// Bound: a lane holds 1024 frames; what it does not take stays the caller's. One thread.
#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "dataplane/types/frame.h"
#include "dataplane/types/hot_memory.h"
#include "pmd_glue/pool.h"

namespace sluice::bench {

class Lane : public InHotMemory {
  public:
    std::size_t push(std::span<const Frame> frames) {
        const std::size_t count = std::min(frames.size(), places_.size() - (tail_ - head_));
        for (const Frame& frame : frames.first(count)) places_[tail_++ % places_.size()] = frame;
        return count;
    }
    std::size_t pop(std::span<Frame> frames) {
        const std::size_t count = std::min(frames.size(), tail_ - head_);
        for (Frame& frame : frames.first(count)) {
            frame = places_[head_++ % places_.size()];
            __builtin_prefetch(frame.data);
        }
        return count;
    }

  private:
    std::array<Frame, 1024> places_;
    std::size_t head_ = 0;
    std::size_t tail_ = 0;
};

struct CrossedLanes {
    // One end: what the other sends comes in.
    class Port {
      public:
        Port(std::shared_ptr<Lane> in, std::shared_ptr<Lane> out)
            : in_(std::move(in)), out_(std::move(out)) {}

        std::size_t receive(std::span<Frame> burst) { return in_->pop(burst); }
        std::size_t transmit(std::span<const Frame> burst) { return out_->push(burst); }

      private:
        std::shared_ptr<Lane> in_;
        std::shared_ptr<Lane> out_;
    };

    CrossedLanes(const std::string& /*name*/, std::size_t count, pmd::Pool& /*pool*/) {
        for (std::size_t port = 0; port < count; ++port) {
            const auto there = std::shared_ptr<Lane>(new Lane);
            const auto back = std::shared_ptr<Lane>(new Lane);
            ports.push_back(std::make_unique<Port>(there, back));
            hosts.push_back(std::make_unique<Port>(back, there));
        }
    }

    std::vector<std::unique_ptr<Port>> ports;  // the switch's ends
    std::vector<std::unique_ptr<Port>> hosts;  // the other ends
};

}  // namespace sluice::bench
