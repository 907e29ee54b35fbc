// DcbxPair: two ends of a link, each with a DCBX agent, and the frames between them.
//
// A transfer is a frame that differs from the end's last one. `talk` lets both ends transfer until
// neither has a new frame, and returns the sequence: > from one to two, < back.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "control/dcbx/agent.h"

namespace sluice::test {

class DcbxPair {
  public:
    static constexpr MacAddress address_one{0x020000000001};
    static constexpr MacAddress address_two{0x020000000002};

    // `one` has the lower address.
    DcbxPair(dcbx::Mode mode_one, dcbx::Local local_one, dcbx::Mode mode_two,
             dcbx::Local local_two) {
        local_one.address = address_one;
        local_two.address = address_two;
        one.configure(mode_one, local_one, Nanos(0));
        two.configure(mode_two, local_two, Nanos(0));
    }

    // Transfer one frame. Return false if the frame is the same as the last one.
    bool transfer_to_two() { return transfer(one, address_one, last_to_two_, two); }
    bool transfer_to_one() { return transfer(two, address_two, last_to_one_, one); }

    std::string talk() {
        std::string ladder;
        for (bool more = true; more;) {
            more = false;
            if (transfer_to_two()) ladder += '>', more = true;
            if (transfer_to_one()) ladder += '<', more = true;
            if (ladder.size() > 40) throw std::logic_error("they never end: " + ladder);
        }
        return ladder;
    }

    static const dcbx::FeatureStatus& row(const dcbx::Agent& agent, dcbx::Feature feature) {
        for (const auto& row : agent.status()) {
            if (row.feature == feature) return row;
        }
        throw std::logic_error("no such row");
    }

    dcbx::Agent one;
    dcbx::Agent two;

  private:
    using Frame = std::vector<lldp::OrganisationalTlv>;

    static bool transfer(const dcbx::Agent& from, MacAddress source, std::optional<Frame>& last,
                         dcbx::Agent& to) {
        Frame frame = from.to_send();
        if (last == frame) return false;
        const lldp::OrganisationalNeighbour neighbour{.source = source, .tlvs = frame};
        to.neighbours(std::span(&neighbour, 1), Nanos(0));
        last = std::move(frame);
        return true;
    }

    std::optional<Frame> last_to_one_;
    std::optional<Frame> last_to_two_;
};

}  // namespace sluice::test
