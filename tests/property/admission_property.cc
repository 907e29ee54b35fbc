// Admission, one frame at a time, against a model that keeps every frame and its account in plain
// containers. After each step the charges of queues, groups and pool are those of the model; a
// lossy frame entered if and only if its queue then holds no more than reserved + threshold and the
// pool has it; a lossless one is lost only when the headroom cannot take it; a pause begins exactly
// when the group is at XOFF or the pool is gone.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <deque>
#include <map>
#include <memory>
#include <vector>

#include "dataplane/ingress/ingress.h"
#include "tests/property/draw.h"

namespace sluice::property {
namespace {

using namespace literals;

struct Held {
    Bytes charge;
    Account account;
};
// What an (input, priority) holds: its lossless frames by account, and its lossy frames.
struct Group {
    Bytes reserved;
    Bytes shared;
    Bytes headroom;
    Bytes lossy;
};

class Model {
  public:
    explicit Model(const Settings& settings)
        : settings_(settings),
          pool_(shared_size(settings), settings.buffer.cell, 1),
          frames_(FramePool::chunks_for(
              static_cast<std::size_t>(settings.buffer.size.count()) / 14 + 1000,
              settings.ports.size() * settings.ports.size() * max_priorities)),
          crossbar_(settings.fabric, settings.ports.size(), 1) {
        for (PortIndex port = 0; port < settings.ports.size(); ++port) {
            inputs_.push_back(std::make_unique<Ingress>(
                port, settings.ports.size(),
                Ingress::Shared{pool_.shard(0), frames_, crossbar_.shard(0)}));
            inputs_.back()->configure(settings);
        }
    }

    void admit(PortIndex input, PortIndex output, Priority priority, uint16_t length) {
        Frame frame{};
        frame.priority = priority;
        frame.length = length;
        const Bytes charge = pool_.charge(Bytes(length));
        const Bytes free = shared_size(settings_) - shared_;
        const Bytes queued = sum(queue_[{input, output, priority}]);
        Group& at = groups_[{input, priority}];
        const bool was_pausing = inputs_[input]->pause_sender().pausing(priority);
        const Drop why = inputs_[input]->admit(frame, output);

        const BufferSettings& buffer = settings_.buffer;
        Account account = Account::voq_shared;
        Bytes Group::*part = &Group::lossy;
        if (lossless(input, output, priority)) {
            const PfcSettings& pfc = settings_.ports[input].pfc;
            account = Account::group;
            part = lossless_part(pfc, at, charge, free, was_pausing);
            const bool fits = part != &Group::headroom || at.headroom + charge <= pfc.headroom;
            RC_ASSERT(why == (fits ? Drop::none : Drop::headroom_overrun));
        } else {
            const bool in_reserve = queued + charge <= buffer.reserved;
            if (in_reserve) account = Account::voq_reserved;
            const Bytes threshold = Bytes(free.count() * buffer.alpha_128 / 128);
            const bool fits =
                in_reserve || (charge <= free && queued + charge <= buffer.reserved + threshold);
            RC_ASSERT(why == (fits ? Drop::none : Drop::over_threshold));
        }
        if (why != Drop::none) return;
        queue_[{input, output, priority}].push_back({charge, account});
        at.*part += charge;
        if (account == Account::voq_shared || part == &Group::shared) shared_ += charge;
        if (lossless(input, output, priority) && !was_pausing) expect_pause(input, priority);
    }
    void move(PortIndex input, PortIndex output, Priority priority) {
        std::array<Frame, max_transfer> out;
        auto& queue = queue_[{input, output, priority}];
        const std::size_t moved = inputs_[input]->move({output, priority}, out, 4_KiB);
        RC_ASSERT(moved <= queue.size());
        RC_ASSERT((moved == 0) == queue.empty());
        for (std::size_t n = 0; n < moved; ++n) {
            RC_ASSERT(out[n].account == queue.front().account);
            give_back(groups_[{input, priority}], queue.front());
            queue.pop_front();
        }
    }
    void check() {
        RC_ASSERT(pool_.used() == shared_);
        for (PortIndex input = 0; input < inputs_.size(); ++input) {
            const PfcSettings& pfc = settings_.ports[input].pfc;
            for (Priority priority = 0; priority < max_priorities; ++priority) {
                const IngressPriorityGroup& seen = inputs_[input]->group(priority);
                const Group& at = groups_[{input, priority}];
                RC_ASSERT(seen.used() == at.reserved + at.shared);
                RC_ASSERT(seen.headroom() == at.headroom);
                RC_ASSERT(seen.occupancy() == at.reserved + at.shared + at.headroom + at.lossy);
                RC_ASSERT(at.headroom <= pfc.headroom);
                RC_ASSERT(at.reserved <= pfc.reserved);
                const bool pausing = inputs_[input]->pause_sender().pausing(priority);
                // Paused means that something is held that will end the pause as it leaves.
                if (pausing) RC_ASSERT(seen.used() + seen.headroom() > 0_B);
                if (seen.headroom() > 0_B) RC_ASSERT(pausing);
            }
        }
        for (const auto& [at, held] : queue_) {
            const Voq& voq = std::as_const(*inputs_[at[0]])
                                 .voq(static_cast<PortIndex>(at[1]), static_cast<Priority>(at[2]));
            RC_ASSERT(voq.bytes() == sum(held));
            RC_ASSERT(voq.waiting() == held.size());
        }
    }

  private:
    static Bytes sum(const std::deque<Held>& frames) {
        Bytes octets;
        for (const Held& frame : frames) octets += frame.charge;
        return octets;
    }
    // A frame that leaves frees the group's headroom first, then its share of the pool, last its
    // reserve.
    void give_back(Group& at, const Held& frame) {
        if (frame.account == Account::voq_shared) shared_ -= frame.charge;
        if (frame.account != Account::group) {
            at.lossy -= frame.charge;
            return;
        }
        Bytes left = frame.charge;
        for (Bytes Group::*part : {&Group::headroom, &Group::shared, &Group::reserved}) {
            const Bytes taken = std::min(left, at.*part);
            at.*part -= taken;
            if (part == &Group::shared) shared_ -= taken;
            left -= taken;
        }
        RC_ASSERT(left == 0_B);
    }
    [[nodiscard]] bool lossless(PortIndex input, PortIndex output, Priority priority) const {
        const PrioritySet both =
            settings_.ports[input].pfc.lossless & settings_.ports[output].pfc.lossless;
        const bool mirrors = (mirrored_to(settings_.mirrors) & only(output)) != 0;
        return (both & only_priority(priority)) != 0 && !mirrors;
    }
    // XOFF as the operator wrote it.
    static Bytes level(const PfcSettings& pfc, Bytes free) {
        if (pfc.alpha_128 == 0) return pfc.xoff;
        const int64_t open = std::max<int64_t>(free.count(), 0) * pfc.alpha_128 / 128;
        return std::min(pfc.xoff, pfc.reserved + Bytes(open));
    }
    // Lossless frames use the pool until the pause begins; then the headroom, until the group is
    // below XOFF again.
    static Bytes Group::*lossless_part(const PfcSettings& pfc, const Group& at, Bytes charge,
                                       Bytes free, bool pausing) {
        const bool in_reserve = at.reserved + charge <= pfc.reserved;
        const bool below = at.reserved + at.shared + charge <= level(pfc, free);
        const bool has_place = in_reserve || charge <= free;
        if (pausing && !(at.headroom == 0_B && below && has_place)) return &Group::headroom;
        return in_reserve ? &Group::reserved : &Group::shared;
    }
    // The frame that has entered starts a pause, or does not.
    void expect_pause(PortIndex input, Priority priority) {
        const PfcSettings& pfc = settings_.ports[input].pfc;
        const Group& at = groups_[{input, priority}];
        const Bytes free = shared_size(settings_) - shared_;
        const bool pool_is_gone = free <= 0_B && at.reserved + at.shared >= pfc.reserved;
        const bool due = pool_is_gone || at.reserved + at.shared >= level(pfc, free);
        RC_ASSERT(inputs_[input]->pause_sender().pausing(priority) == due);
    }

    Settings settings_;
    SharedBuffer pool_;
    FramePool frames_;
    Crossbar crossbar_;
    std::vector<std::unique_ptr<Ingress>> inputs_;
    std::map<std::array<unsigned, 3>, std::deque<Held>> queue_;
    std::map<std::array<unsigned, 2>, Group> groups_;
    Bytes shared_;
};

RC_GTEST_PROP(Admission, AgreesWithThePlainModel, ()) {
    Settings settings = draw_settings();
    settings.buffer.size = one_of({16_KiB, 64_KiB});
    draw_changeable(settings);
    Model model(settings);
    const auto ports = static_cast<int64_t>(settings.ports.size());
    // A few queues, so that they fill.
    const auto priorities = std::vector<Priority>{between<Priority>(0, 7), 3};
    const auto steps =
        *rc::gen::resize(400, rc::gen::container<std::vector<bool>>(
                                  rc::gen::weightedElement<bool>({{3, true}, {1, false}})));
    for (const bool in : steps) {
        const auto input = between<PortIndex>(0, std::min<int64_t>(1, ports - 1));
        const auto output = between<PortIndex>(0, ports - 1);
        const Priority priority = *rc::gen::elementOf(priorities);
        if (in) {
            model.admit(input, output, priority, one_of<uint16_t>({14, 60, 256, 257, 1522, 9000}));
        } else {
            model.move(input, output, priority);
        }
        model.check();
    }
}

}  // namespace
}  // namespace sluice::property
