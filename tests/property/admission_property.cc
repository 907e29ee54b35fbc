// Admission, one frame at a time, against a model that keeps every frame and its account in plain
// containers. After each step the charges of queues, groups and pool are those of the model; a
// lossy frame entered if and only if its queue then holds no more than reserved + threshold and the
// pool has it; a lossless one is lost only when the headroom cannot take it.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

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
                port, settings.ports.size(), Ingress::Surroundings{0, pool_, frames_, crossbar_}));
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
        const Bytes below = group(input, priority, false);
        const Bytes above = group(input, priority, true);
        const Drop why = inputs_[input]->admit(frame, output);

        const PfcSettings& pfc = settings_.ports[input].pfc;
        const BufferSettings& buffer = settings_.buffer;
        Account account = Account::shared;
        if ((pfc.lossless & only_priority(priority)) != 0) {
            const bool below_xoff = above == 0_B && below + charge <= pfc.xoff && charge <= free;
            if (!below_xoff) account = Account::headroom;
            const bool fits = below_xoff || above + charge <= pfc.headroom;
            RC_ASSERT(why == (fits ? Drop::none : Drop::headroom_overrun));
            const bool paused = (inputs_[input]->xoff().pausing() & only_priority(priority)) != 0;
            if (account == Account::headroom && fits) RC_ASSERT(paused);
        } else {
            const bool in_reserve = queued + charge <= buffer.reserved;
            if (in_reserve) account = Account::reserved;
            const Bytes threshold = Bytes(free.count() * buffer.alpha_128 / 128);
            const bool fits =
                in_reserve || (charge <= free && queued + charge <= buffer.reserved + threshold);
            RC_ASSERT(why == (fits ? Drop::none : Drop::over_threshold));
        }
        if (why != Drop::none) return;
        queue_[{input, output, priority}].push_back({charge, account});
        if (account == Account::shared) shared_ += charge;
    }
    void move(PortIndex input, PortIndex output, Priority priority) {
        std::array<Frame, max_transfer> out;
        auto& queue = queue_[{input, output, priority}];
        const std::size_t moved = inputs_[input]->move({output, priority}, out);
        RC_ASSERT(moved <= queue.size());
        RC_ASSERT((moved == 0) == queue.empty());
        for (std::size_t n = 0; n < moved; ++n) {
            RC_ASSERT(out[n].account == queue.front().account);
            if (queue.front().account == Account::shared) shared_ -= queue.front().charge;
            queue.pop_front();
        }
    }
    void check() const {
        RC_ASSERT(pool_.used() == shared_);
        RC_ASSERT(shared_ <= shared_size(settings_));
        for (PortIndex input = 0; input < inputs_.size(); ++input) {
            const PfcSettings& pfc = settings_.ports[input].pfc;
            for (Priority priority = 0; priority < max_priorities; ++priority) {
                const IngressGroup& seen = inputs_[input]->group(priority);
                RC_ASSERT(seen.buffer() == group(input, priority, false));
                RC_ASSERT(seen.headroom() == group(input, priority, true));
                RC_ASSERT(seen.headroom() <= pfc.headroom);
                const bool pausing =
                    (inputs_[input]->xoff().pausing() & only_priority(priority)) != 0;
                // Paused means that something is held that will end the pause as it leaves.
                if (pausing) RC_ASSERT(seen.occupancy() > 0_B);
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
    [[nodiscard]] Bytes group(PortIndex input, Priority priority, bool headroom) const {
        Bytes octets;
        for (const auto& [at, held] : queue_) {
            if (at[0] != input || at[2] != priority) continue;
            for (const Held& frame : held) {
                if ((frame.account == Account::headroom) == headroom) octets += frame.charge;
            }
        }
        return octets;
    }

    Settings settings_;
    SharedPool pool_;
    FramePool frames_;
    Crossbar crossbar_;
    std::vector<std::unique_ptr<Ingress>> inputs_;
    std::map<std::array<unsigned, 3>, std::deque<Held>> queue_;
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
