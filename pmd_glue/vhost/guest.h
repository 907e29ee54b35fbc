// Guest: the virtual machine at a vhost device, as the device's port uses it: receives frames of
// the wire (guest_receiver.h) and sends them (guest_sender.h), although the guest uses the offloads
// of a network card.
// `receive` of each queue belongs to one thread, and `transmit` to one.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "pmd_glue/packet/interface.h"
#include "pmd_glue/vhost/guest_receiver.h"
#include "pmd_glue/vhost/guest_sender.h"

namespace sluice::pmd::vhost {

class Guest {
  public:
    struct Counts {
        uint64_t unusable = 0;
        packet::OffloadCounts offloads;
    };

    // Create it before the device is configured, and destroy it before the device is closed.
    Guest(uint16_t ethdev, uint16_t queues, rte_mempool* pool) : sender_(ethdev), pool_(pool) {
        for (uint16_t queue = 0; queue < queues; ++queue) {
            receivers_.push_back(std::make_unique<GuestReceiver>(ethdev, queue));
        }
    }

    // --- called by its workers ------------------------------------------------------------------
    std::size_t receive(uint16_t queue, std::span<rte_mbuf*> buffers) {
        return receivers_[queue]->receive(buffers, pool_);
    }
    // Returns `holds_back` of the receiver of the first queue.
    [[nodiscard]] bool holds_back() const { return receivers_.front()->holds_back(); }
    std::size_t transmit(std::span<rte_mbuf*> frames) { return sender_.transmit(frames, pool_); }

    // --- called by control ----------------------------------------------------------------------
    [[nodiscard]] Counts counts() const {
        Counts all{
            .offloads = {.segments_joined = sender_.segments(), .frames_joined = sender_.joined()}};
        for (const auto& receiver : receivers_) {
            const GuestReceiver::Counts counts = receiver->counts();
            all.unusable += counts.unusable;
            all.offloads.checksums_finished += counts.checksums_finished;
            all.offloads.segments_cut += counts.segments_cut;
            all.offloads.frames_cut += counts.frames_cut;
        }
        return all;
    }

  private:
    std::vector<std::unique_ptr<GuestReceiver>> receivers_;  // one for each queue
    GuestSender sender_;
    rte_mempool* const pool_;
};

}  // namespace sluice::pmd::vhost
