// QuerierManager: sends queries of IGMP and MLD in the VLANs where the switch is configured to
// query (`multicast.querier`), unless another querier is elected (election.h).
//
// A general query is sent to all ports of the VLAN, with the tag that frames of the VLAN have
// there; a port whose link comes up, or that may carry data again, gets a general query at once.
// After a leave the group is queried twice at that port, so that other listeners there stay;
// further leaves of
// the group change nothing until its queries are over (RFC 2236 7). The dataplane reports other
// queriers and leaves (membership_news.h). Changes are reported, within the limits of EventSink.
// Time is an argument, and no call waits for a worker.
// Bound: a port is sent `frames_at_once` frames a call, general queries first. `most_groups` groups
// are queried at a time, `most_groups_of_port` at one port, each no longer than `leaving`; groups
// that were not queried are counted.
// Not done here: queries for single sources of a group (IGMPv3, MLDv2): a query for the group makes
// hosts report all sources.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "config/configuration.h"
#include "control/events/event_sink.h"
#include "control/querier/election.h"
#include "control/querier/query.h"
#include "control/service.h"
#include "dataplane/forward/aggregations.h"
#include "dataplane/forward/multicast/membership_news.h"
#include "dataplane/forward/vlan.h"
#include "dataplane/switch.h"
#include "dataplane/types/units.h"

namespace sluice::control {

class QuerierManager final : public Service {
  public:
    static constexpr unsigned frames_at_once = 2;
    static constexpr std::size_t most_groups = 256;
    static constexpr std::ptrdiff_t most_groups_of_port = 32;
    static constexpr unsigned group_queries = 2;  // last member query count of RFC 3376 8.9

    using Key = std::pair<VlanId, GroupProtocol>;
    struct Network {
        GroupSource own;
        querier::Times times;
        querier::Election election;
        uint64_t sent = 0;  // query frames
        bool other_reported = false;
    };

    // `configuration` is complete: the addresses of ports are filled in.
    QuerierManager(Switch& dataplane, const config::Configuration& configuration, Nanos now,
                   EventSink& events);

    void configure(const config::Configuration& configuration, Nanos now) override;
    // Takes other queriers and leaves from workers, and sends the queries that are due. Ten times a
    // second is often enough.
    void tick(Nanos now) override;
    // Sends general queries at once, because the known groups were flushed.
    void ask_again(Nanos now);

    [[nodiscard]] const std::map<Key, Network>& networks() const { return networks_; }
    // Returns how many groups were not queried after a leave, because too many were left at once,
    // or their port took no frames.
    [[nodiscard]] uint64_t groups_left_out() const { return groups_left_out_; }

  private:
    // A query that is due, perhaps several times.
    struct Asked {
        Key key;
        GroupSource group;
        PortSet ports = 0;  // bridge ports
        PortSet left = 0;   // ports of `ports` to which the query was not sent yet
        unsigned times = 1;
        Nanos at;     // earliest time to send the query
        Nanos until;  // for a group: time at which its listeners count as gone

        [[nodiscard]] bool is_general() const { return group == GroupSource{}; }
        // Returns the turn of the query, lowest first: general queries, then queries for groups, of
        // which those sent fewer times come first.
        [[nodiscard]] unsigned turn() const { return is_general() ? 0 : 1 + group_queries - times; }
    };

    [[nodiscard]] bool is_vacant(PortIndex port) const { return (vacant_ & only(port)) != 0; }
    void hear(const MembershipNews& news, Nanos now);
    void ask_all(Key key, PortSet ports, Nanos now);
    void ask_for(Key key, const GroupSource& group, PortIndex port, Nanos now);
    void end(Nanos now);
    void follow_outputs(Nanos now);
    void send(Asked& asked);
    bool send_by(PortIndex bridge_port, const std::vector<uint8_t>& untagged, VlanId vlan);
    [[nodiscard]] querier::Query query_for(const Asked& asked) const;
    [[nodiscard]] static Event event_of(Key key, const Network& network);

    Switch& dataplane_;
    EventSink& events_;
    const MacAddress mac_;
    config::QuerierConfig config_;
    Nanos leaving_;
    bool fast_leave_ = false;
    VlanTable vlans_;
    Aggregations aggregations_;
    std::vector<PortSet> members_;       // by port index: members of its aggregation, or the port
    std::vector<VlanId> default_vlans_;  // by port index; 0 for tag-aware ports
    PortSet ethernet_ = 0;               // Ethernet ports
    PortSet vacant_ = 0;                 // slots without a port
    std::map<Key, Network> networks_;
    std::vector<Asked> asked_;
    std::array<unsigned, max_ports> budget_{};
    PortSet outputs_seen_ = 0;
    uint64_t groups_left_out_ = 0;
};

}  // namespace sluice::control
