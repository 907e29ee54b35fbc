// Aggregator: LACP of one aggregation: which of its ports are selected (802.1AX-2014 6.4.14).
//
// Ports form a group if their partners are one system with one key, and the ports have one speed
// and may be aggregated. There may be several such groups. The group that was chosen before stays
// chosen while any of its ports is left; otherwise the group with the highest total speed is
// chosen, then the one with the lowest port. Ports of the other groups are UNSELECTED and carry no
// data, as there is no other aggregation for them. A member without a partner, such as one whose
// peer has no LACP, carries no data either.
// Frames and time are arguments, changes are returned.
// Bound: O(members x members) a call of `advance`.
// Not done here: distinguishing LACP's frames from others (dataplane/ingress/control_receiver.h),
// and excluding members from data (Switch::set_lacp_detached). There is no STANDBY for more ports
// than allowed.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "control/lacp/lacpdu.h"
#include "control/lacp/port.h"
#include "dataplane/types/address.h"
#include "dataplane/types/limits.h"
#include "dataplane/types/units.h"

namespace sluice::lacp {

struct AggregatorSettings {
    bool active = true;
    bool short_timeout = false;
    uint16_t system_priority = 32768;
    MacAddress system;
    uint16_t key = 1;

    friend bool operator==(const AggregatorSettings&, const AggregatorSettings&) = default;
};

// Why a port is not attached.
enum class Reason : uint8_t {
    none,
    link_down,
    no_partner,      // the peer sends no LACPDUs
    own_system,      // the partner is this switch itself
    individual,      // the partner reports that its port may be in no aggregation
    other_partner,   // the other members have another system as partner
    other_key,       // the partner has the port in another aggregation than the other members
    other_speed,     // the other members have another speed
    waits,           // the port waits 2 s for other members
    silent,          // the partner was silent for longer than its LACPDUs are valid
    out_of_sync,     // the partner does not report that the port is in the aggregation
    not_collecting,  // the partner does not collect frames yet
    last = not_collecting
};
// Whether an operator has to correct the cause, on this switch or on the partner.
constexpr bool is_refusal(Reason why) {
    return why >= Reason::own_system && why <= Reason::other_speed;
}

enum class ChangeKind : uint8_t { attached, detached, refused };
struct Change {
    PortIndex port = 0;
    ChangeKind what = ChangeKind::attached;
    Reason why = Reason::none;
    PortInfo partner;
};

class Aggregator {
  public:
    struct Member {
        PortIndex number = 0;
        Port port;
        BitsPerSecond speed;
        Reason why = Reason::link_down;
        bool attached = false;  // the port collects and distributes, as last reported
    };

    Aggregator(const AggregatorSettings& settings, PortSet members,
               std::span<const MacAddress> addresses);

    void configure(const AggregatorSettings& settings);
    // Add a port that begins LACP, or a member that leaves another aggregation, with its LACP
    // state.
    void add(PortIndex port, MacAddress address);
    void add(Member member);
    // Removes a member and returns it. The other members keep their state.
    Member remove(PortIndex port);
    void set_link(PortIndex port, bool up, BitsPerSecond speed, Nanos now);
    void receive(PortIndex port, std::span<const uint8_t> frame, Nanos now);
    // Returns the changes that follow from received LACPDUs and from time.
    std::vector<Change> advance(Nanos now);

    [[nodiscard]] const AggregatorSettings& settings() const { return settings_; }
    [[nodiscard]] std::span<Member> members() { return members_; }
    [[nodiscard]] std::span<const Member> members() const { return members_; }
    [[nodiscard]] PortSet ports() const { return ports_; }
    // Return the members that collect frames, and the members that distribute frames.
    [[nodiscard]] PortSet taking() const;
    [[nodiscard]] PortSet sending() const;

  private:
    // The values that ports of one group share.
    struct Group {
        MacAddress system;
        uint16_t system_priority = 0;
        uint16_t key = 0;
        BitsPerSecond speed;

        friend bool operator==(const Group&, const Group&) = default;
    };

    [[nodiscard]] PortInfo actor_of(PortIndex port) const;
    [[nodiscard]] static Group group_of(const Member& member);
    // Returns why a member cannot be in a group; `none`: it can be in one.
    [[nodiscard]] Reason unfit(const Member& member) const;
    void select();
    [[nodiscard]] std::optional<Group> best_group() const;
    [[nodiscard]] static Reason difference(const Group& group, const Group& chosen);
    [[nodiscard]] static Reason progress(const Member& member);
    static void add_change(Member& member, Reason before, std::vector<Change>& changes);

    AggregatorSettings settings_;
    PortSet ports_ = 0;
    std::vector<Member> members_;  // ordered by port index
    std::optional<Group> chosen_;
};

}  // namespace sluice::lacp
