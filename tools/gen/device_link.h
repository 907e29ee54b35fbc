// DeviceLink: a Link over a port that a device string (pmd_glue/device.h) opens.
// Bound: one thread, the generator's. It has to be an lcore, since the pool has a cache for each
// lcore only.
#pragma once

#include <memory>

#include "pmd_glue/pool.h"
#include "pmd_glue/port.h"
#include "tools/gen/link.h"

namespace sluice::gen {

class DeviceLink final : public Link {
  public:
    DeviceLink(std::unique_ptr<pmd::Port> port, pmd::Pool& pool)
        : port_(std::move(port)), pool_(pool) {}

    bool allocate(std::span<Frame> frames, uint16_t length) override {
        return pool_.allocate(frames, length);
    }
    std::size_t transmit(std::span<const Frame> frames) override {
        const std::size_t taken = port_->bursts().transmit(frames);
        port_->bursts().flush();  // a generator sends at once, not at the end of a poll
        sent_ += taken;
        return taken;
    }
    std::size_t receive(std::span<Frame> frames) override {
        const std::size_t count = port_->bursts().receive(frames);
        received_ += count;
        return count;
    }
    void release(std::span<const Frame> frames) override;

    // Frames of all kinds since the link was opened.
    [[nodiscard]] uint64_t sent() const { return sent_; }
    [[nodiscard]] uint64_t received() const { return received_; }

  private:
    std::unique_ptr<pmd::Port> port_;
    pmd::Pool& pool_;
    uint64_t sent_ = 0;
    uint64_t received_ = 0;
};

}  // namespace sluice::gen
