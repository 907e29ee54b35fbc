// Two switches and a cable with link-level retry that loses, doubles, swaps and holds frames of
// retry both ways, by which questions of old come late, and ends of which begin anew at any time,
// one or both, by themselves or with the link:
//   never       a frame with a number is delivered twice, or before one that is delivered later
//   never       more is kept than the replay buffer holds
//   never       a frame is missing, as long as no end begins anew and none is sent again too often
//   in the end  once the cable is good, all that is sent is delivered and acknowledged
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "dataplane/types/random.h"
#include "tests/property/draw.h"
#include "tests/support/retry_link.h"

namespace sluice::property {
namespace {

using test::Octets;

// Frames, below XOFF of the host's port. Where sessions end, frames without a number wait behind
// those of the resequence buffer, if that has room for all of them.
constexpr std::size_t most_under_way = 25;
constexpr std::size_t most_questions = 16;  // to begin a session, that may come late

class RetryTrial {
  public:
    explicit RetryTrial(bool restarts)
        : restarts_(restarts),
          settings_{.is_on = true,
                    .buffer = Bytes(wide<int64_t>(2048, 16384)),
                    .resequence = Bytes(restarts ? one_of<int64_t>({0, 8192, 16384})
                                                 : one_of<int64_t>({0, 512, 2048, 16384})),
                    .replay_timer = Nanos(wide<int64_t>(100'000, 1'000'000)),
                    .replay_count_max = restarts ? wide<uint32_t>(2, 8) : 1'000'000},
          link_(settings_with(1), settings_with(0)),
          chance_(wide<uint64_t>(0, UINT32_MAX)) {
        // A session that never opens, of which questions may come late.
        link_.loses = [this](const Octets& octets) {
            note_question(octets);
            return true;
        };
        link_.turn(2);
        flap(true, false);
        set_trouble(0);
        link_.turn(4);
        RC_ASSERT(link_.end_of_a().is_open());
    }

    void run() {
        set_trouble(wide<uint32_t>(0, 25));
        const auto turns = wide<int>(0, 150);
        for (int n = 0; n < turns; ++n) {
            if (restarts_ && chance_.next() % 30 == 0) begin_anew();
            if (chance_.next() % 15 == 0) repeat_a_question();
            turn(wide<int>(0, 4));
        }
    }
    void heal() {
        set_trouble(0);
        set_links(true);
        link_.set_peers(LinkPeer::able);
        link_.turn(600);
        if (restarts_) {
            link_.send(1);  // by which a finds out whether b has forgotten the session
            link_.turn(20);
        }
        RC_ASSERT(link_.end_of_a().is_open());
        const std::size_t before = link_.b.ports.departures(1).size();
        const uint32_t first = link_.sent;
        link_.send(10);
        link_.turn(20);
        const std::vector<uint32_t> delivered = link_.delivered();
        RC_ASSERT(delivered.size() == before + 10);
        RC_ASSERT(delivered[before] == first);
        look(delivered);
        RC_ASSERT(link_.end_of_a().sender().kept() == 0U);
        RC_ASSERT(link_.a.ports.misuse() + link_.b.ports.misuse() == "");
        RC_ASSERT(link_.a.ports.held() + link_.b.ports.held() == 0U);
    }

  private:
    [[nodiscard]] Settings settings_with(PortIndex port) const {
        Settings settings = test::retry_settings(port);
        settings.ports[port].retry = settings_;
        return settings;
    }
    void set_trouble(uint32_t percent) {
        const auto happens = [this, percent](uint32_t part) {
            return chance_.next() % 100 * part < percent;
        };
        link_.loses = [this, happens](const Octets& octets) {
            note_question(octets);
            return is_of_retry(octets) && happens(1);
        };
        link_.doubles = [happens] { return happens(4); };
        link_.swaps = [happens] { return happens(4); };
        link_.holds = [happens] { return happens(3); };
    }
    void turn(int frames) {
        if (link_.sent - link_.b.ports.departures(1).size() < most_under_way) link_.send(frames);
        link_.turn();
        link_.end_of_a().show();
        RC_ASSERT(link_.end_of_a().watch().used.value() <=
                  static_cast<uint64_t>(settings_.buffer.count()));
    }
    void set_links(bool up) {
        link_.a.dataplane.set_link(1, up);
        link_.b.dataplane.set_link(0, up);
    }
    // Frames in flight stay, except those to a port that is closed and opened.
    void begin_anew() {
        switch (chance_.next() % 6) {
            case 0:
                flap(true, false);
                break;
            case 1:
                flap(false, true);
                break;
            case 2:
                flap(true, true);
                break;
            case 3:
                link_.set_peers(LinkPeer::unable);
                link_.turn();
                link_.set_peers(LinkPeer::able);
                break;
            case 4:
                replace_end_of_b();
                break;
            default:
                replace_end_of_b();
                link_.back.clear();
                link_.a.dataplane.retries().use(1, settings_);
                break;
        }
    }
    void flap(bool of_a, bool of_b) {
        if (of_a) link_.a.dataplane.set_link(1, false);
        if (of_b) link_.b.dataplane.set_link(0, false);
        link_.turn(static_cast<int>(1 + chance_.next() % 2));
        set_links(true);
    }
    void replace_end_of_b() {
        settings_.buffer += Bytes(1);
        link_.forth.clear();
        questions_.clear();
        link_.b.dataplane.retries().use(0, settings_);
    }
    // A question that a asked at any time arrives late, or once more.
    void repeat_a_question() {
        if (questions_.empty()) return;
        link_.forth.push_back(questions_[chance_.next() % questions_.size()]);
    }
    void note_question(const Octets& octets) {
        const auto shim = read_retry_shim(octets);
        const bool is_of_a = read_address(&octets[6]) == link_.a.settings.ports[1].address;
        if (!is_of_a || !shim || shim->kind != RetryKind::begin) return;
        if (questions_.size() < most_questions) questions_.push_back(octets);
    }
    void look(const std::vector<uint32_t>& delivered) const {
        for (std::size_t n = 1; n < delivered.size(); ++n) {
            RC_ASSERT(delivered[n - 1] < delivered[n]);
        }
        if (!restarts_) RC_ASSERT(delivered.size() == link_.sent);
    }

    const bool restarts_;
    RetrySettings settings_;
    test::RetryLink link_;
    Random chance_;
    std::vector<Octets> questions_;  // of a
};

RC_GTEST_PROP(RetryLink, LosesNothingOnACableThatDoes, ()) {
    RetryTrial trial(false);
    trial.run();
    trial.heal();
}

RC_GTEST_PROP(RetryLink, DeliversNothingTwiceWhateverBeginsAnew, ()) {
    RetryTrial trial(true);
    trial.run();
    trial.heal();
}

}  // namespace
}  // namespace sluice::property
