// Model: the contents of Data Center Bridging Exchange, independent of the dialect: enhanced
// transmission selection, priority-based flow control, the priority of applications, congestion
// notification.
//
// Dialects with priority groups are converted to traffic classes (priority_groups.h), so that the
// state machines compare one form. Willing, RV, Enable, Error and DefOn are not part of the
// parameters; they are members of `Offered` and `Recommendation`.
// Bound: an application table has as many entries as fit a TLV. Not done here: reading and writing
// octets (codec_*.h), decisions (symmetric.h, asymmetric.h). Follows 802.1Q-2014 annex D and clause
// 38.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "dataplane/types/enum_count.h"
#include "dataplane/types/limits.h"

namespace sluice::dcbx {

inline constexpr std::size_t traffic_classes = 8;
using PerPriority = std::array<uint8_t, max_priorities>;
using PerClass = std::array<uint8_t, traffic_classes>;

// How a traffic class is served (802.1Q table 8-5): by strict priority, by the credit-based shaper
// (8.6.8.2), by its share of the bandwidth, or in a vendor-specific way.
enum class Selection : uint8_t { strict = 0, credit_based = 1, ets = 2, vendor = 255 };

constexpr std::string_view name(Selection selection) {
    constexpr std::array<std::string_view, 3> names = {"strict", "credit_based", "ets"};
    return selection == Selection::vendor ? "vendor" : names[static_cast<std::size_t>(selection)];
}

struct Ets {
    PerPriority class_of = {};  // class of each priority, 0-7
    PerClass bandwidth = {};    // percentage of each class
    std::array<Selection, traffic_classes> selection = {};
    uint8_t max_classes = traffic_classes;  // most classes that the port can have, 1-8
    bool credit_based_shaper = false;       // whether the port has a credit-based shaper

    friend bool operator==(const Ets&, const Ets&) = default;
};

struct Pfc {
    PrioritySet enabled = 0;
    uint8_t capability = max_priorities;  // how many priorities may have PFC at a time
    bool macsec_bypass = false;           // MBC: the port sends pauses even if MACsec delays them

    friend bool operator==(const Pfc&, const Pfc&) = default;
};

// The kind of number that identifies an application. `other_port`: a port of a protocol other than
// TCP and UDP.
enum class Selector : uint8_t { ether_type, tcp, udp, tcp_or_udp, other_port, dscp, last = dscp };

constexpr std::string_view name(Selector selector) {
    constexpr std::array<std::string_view, 6> names = {"ether_type", "tcp",        "udp",
                                                       "tcp_or_udp", "other_port", "dscp"};
    static_assert(names.size() == count_of<Selector>);
    return names[static_cast<std::size_t>(selector)];
}

struct Application {
    Selector selector = Selector::ether_type;
    uint16_t protocol = 0;
    Priority priority = 0;

    friend auto operator<=>(const Application&, const Application&) = default;
};
using ApplicationTable = std::vector<Application>;

struct ApplicationVlan {
    VlanId vlan = 0;
    Selector selector = Selector::ether_type;
    uint16_t protocol = 0;

    friend bool operator==(const ApplicationVlan&, const ApplicationVlan&) = default;
};

struct CongestionNotification {
    PrioritySet enabled = 0;
    PrioritySet ready = 0;  // final standard: the sender may leave its tag on

    friend bool operator==(const CongestionNotification&, const CongestionNotification&) = default;
};

template <class Parameter>
struct Offered {
    Parameter parameter = {};
    bool willing = false;
    bool enabled = true;                     // CEE
    bool error = false;                      // CEE
    std::optional<PrioritySet> defences_on;  // DefOn of 0409v3

    friend bool operator==(const Offered&, const Offered&) = default;
};

struct Recommendation {
    bool valid = true;            // RV of 0409v3: whether the other members are valid
    bool bandwidth_only = false;  // the recommendation has no classes and no transmission selection
    Ets ets;

    friend bool operator==(const Recommendation&, const Recommendation&) = default;
};

// The Control sub-TLV of CEE, which acknowledges changes of the other end.
struct Control {
    uint8_t oper_version = 0;
    uint8_t max_version = 0;
    uint32_t seqno = 0;
    uint32_t ackno = 0;

    friend bool operator==(const Control&, const Control&) = default;
};

// The contents of one frame. A member is empty if its TLV is missing in the frame, or malformed.
struct Advertisement {
    std::optional<Control> control;
    std::optional<Offered<Ets>> ets;
    std::optional<Recommendation> recommendation;
    std::optional<Offered<Pfc>> pfc;
    std::optional<Offered<ApplicationTable>> application;
    std::optional<Offered<CongestionNotification>> congestion;
    std::optional<uint8_t> classes_supported;
    std::optional<std::vector<ApplicationVlan>> application_vlan;

    friend bool operator==(const Advertisement&, const Advertisement&) = default;
};

}  // namespace sluice::dcbx
