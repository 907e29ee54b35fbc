// Protocol: all state machines of a port that speaks one dialect. Input: the port's settings and
// the peer's TLVs. Output: the port's TLVs, the parameters in force, and the reasons.
//
// Bound: earlier frames are not remembered, except CEE's sequence numbers: when the peer is gone,
// the port's settings are in force. Not done here: choosing the dialect and the peer (agent.h).
#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <variant>
#include <vector>

#include "control/dcbx/dialect.h"
#include "control/dcbx/mismatch.h"
#include "control/dcbx/model.h"
#include "control/dcbx/symmetric.h"
#include "dataplane/types/address.h"
#include "dataplane/types/enum_count.h"

namespace sluice::dcbx {

enum class Feature : uint8_t { ets, pfc, application, congestion, classes, last = classes };
inline constexpr std::array<std::string_view, 5> feature_names = {"ets", "pfc", "application",
                                                                  "congestion", "classes"};
static_assert(feature_names.size() == count_of<Feature>);
constexpr std::string_view name(Feature feature) {
    return feature_names[static_cast<std::size_t>(feature)];
}

// The features in which the port follows its peer.
struct Willing {
    bool ets = false;
    bool pfc = false;
    bool application = false;
    bool congestion = false;

    friend bool operator==(const Willing&, const Willing&) = default;
};

// Settings of a port.
struct Local {
    MacAddress address;
    Ets ets;
    Pfc pfc;
    ApplicationTable application;
    std::optional<PrioritySet> congestion;  // empty: not advertised
    Willing willing;
    bool recommend = true;    // send a recommendation of ETS to the peer
    bool defend = false;      // 0409v3: enforce defences of PFC, not only of congestion
    bool hold = false;        // 0409v3: send no frames that the peer discards (hold.h)
    bool refuse_pfc = false;  // the PFC that the peer requests is not possible here

    friend bool operator==(const Local&, const Local&) = default;
};

struct PeerSays {
    MacAddress address;
    Advertisement said;
};

// The parameters in force on the port.
struct Operational {
    Ets ets;
    PrioritySet pfc = 0;
    ApplicationTable application;
    PrioritySet defence = 0;  // priorities whose frames are discarded: the peer has no PFC for them
    PrioritySet held = 0;     // priorities that the peer discards, or may discard

    friend bool operator==(const Operational&, const Operational&) = default;
};

// The number of traffic classes that a port can have.
struct Classes {
    uint8_t count = traffic_classes;

    friend bool operator==(const Classes&, const Classes&) = default;
};

using FeatureValue = std::variant<PrioritySet, Ets, ApplicationTable, Classes>;

struct FeatureStatus {
    Feature feature = Feature::ets;
    bool willing = false;
    std::optional<bool> peer_willing;  // empty: the peer does not send the feature
    std::optional<bool> peer_enabled;  // CEE
    std::optional<bool> peer_error;    // CEE
    FeatureValue oper;
    std::optional<FeatureValue> peer;
    std::optional<Pfc> peer_pfc;               // PFC only: the PFC that the peer sends
    std::optional<PrioritySet> peer_defences;  // 0409v3: DefOn of the feature
    std::optional<PrioritySet> peer_ready;     // IEEE: Ready of congestion notification
    std::optional<Ets> recommended;  // ETS only: the peer's recommendation, followed or not
    bool pending = false;            // an answer of the peer is due
    std::optional<Mismatch> mismatch;
    bool from_peer = false;            // `oper` is the peer's value
    std::optional<PrioritySet> asked;  // PFC only: the peer's request, followed or refused

    friend bool operator==(const FeatureStatus&, const FeatureStatus&) = default;
};

class Protocol {
  public:
    virtual ~Protocol() = default;

    virtual void set_local(const Local& local) = 0;
    // Takes the TLVs of the peer; empty: there is no peer, or more than one.
    virtual void receive(const std::optional<PeerSays>& peer) = 0;
    [[nodiscard]] virtual Advertisement advertise() const = 0;
    [[nodiscard]] virtual Operational operational() const = 0;
    [[nodiscard]] virtual std::vector<FeatureStatus> status() const = 0;
};

std::unique_ptr<Protocol> make_protocol(Dialect dialect);

// Returns the status of a symmetric or asymmetric machine.
template <class Machine>
FeatureStatus status_of(Feature feature, const Machine& machine) {
    FeatureStatus row{.feature = feature,
                      .willing = machine.local_willing(),
                      .peer_willing = machine.remote_willing(),
                      .oper = machine.oper_param(),
                      .pending = machine.pending(),
                      .mismatch = machine.mismatch(),
                      .from_peer = machine.state() == Machine::State::rx_recommended};
    if (machine.remote_param()) row.peer = *machine.remote_param();
    return row;
}

// Returns the status of PFC, with the capability of the peer.
FeatureStatus status_of_pfc(const Symmetric<PrioritySet>& machine, const Advertisement& received);

// Returns the DefOn that a peer sends, without the bits of priorities that lack the feature: these
// bits are reserved.
template <class Parameter>
std::optional<PrioritySet> defences_of(const std::optional<Offered<Parameter>>& peer) {
    if (!peer || !peer->defences_on) return std::nullopt;
    return peer->parameter.enabled & *peer->defences_on;
}

// Returns the parameter of PFC's machine, which is the set of priorities; the capability is not
// negotiated.
inline std::optional<Offered<PrioritySet>> enabled_of(const std::optional<Offered<Pfc>>& pfc) {
    if (!pfc) return std::nullopt;
    return Offered<PrioritySet>{.parameter = pfc->parameter.enabled,
                                .willing = pfc->willing,
                                .enabled = pfc->enabled,
                                .error = pfc->error};
}

}  // namespace sluice::dcbx
