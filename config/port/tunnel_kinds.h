// Tunnel kinds: the differences between kinds of tunnels in the configuration. A row of the table
// defines the device string and the keys of a kind; functions for the kind's struct
// (dataplane/tunnel/) in tunnel_kinds.cc define the rest. Other code distinguishes kinds only if it
// works with one alone: EVPN and tunnels to many use VXLAN over IPv4.
//
// To add one:
//   1. dataplane/tunnel/: a file of its own, as mpls.h; its struct in encapsulation.h; its calls in
//      Decapsulator::add and Decapsulator::look; in arrival.h, a Refusal for each new reason why
//      its frames are refused, with its name in decapsulator.cc;
//   2. config/device_kind.h: its device string, as that header says;
//   3. tunnel_kinds.cc: its row, and the functions for its struct. Keys of its own are rows of
//      port_keys.h;
//   4. config/tunnels.md and the README.md of the top: its row in their tables of devices.
// A row or a function that is missing does not compile; without Decapsulator::look the property of
// tests/property/tunnel_property.cc fails. Not checked: 4, that `facts` has the row's scheme, and
// that keys are in the row's order.
//
// Not done here: rules that are the same for all (encapsulations.h, tunnels.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "config/port/underlays.h"
#include "config/yaml/reader.h"
#include "dataplane/tunnel/encapsulation.h"
#include "dataplane/types/ip_address.h"

namespace sluice::config {

// A key of a tunnel's port that is wrong.
struct WrongKey {
    std::string_view key;
    std::string what;
    std::string remedy;
};
// A key that only its kind has, and its value.
struct OwnKey {
    std::string_view name;
    std::string text;

    friend bool operator==(const OwnKey&, const OwnKey&) = default;
};

struct TunnelKind {
    std::string_view scheme;
    std::span<const std::string_view> keys;  // of its own
    std::string (*form)();                   // of its device string, in a remedy
    // Where the name of the port below ends, in what follows the scheme; npos: nowhere.
    std::size_t (*name_end)(std::string_view rest, const Value& port);
    // `path` follows that name.
    std::optional<Encapsulation> (*read)(std::string_view path, const Value& port);
    // If not empty, the first of `keys` identifies the tunnel's frames at this end and must be
    // written; this is its description. Empty: the device string identifies them.
    std::string_view local_end = {};
    std::optional<WrongKey> (*check_local)(const std::string& text) = nullptr;
    bool by_labels = false;  // a frame's priority goes into a traffic class, else into a DSCP
};

std::span<const TunnelKind> tunnel_kinds();
// Returns null if no tunnel has that scheme.
const TunnelKind* tunnel_kind(std::string_view scheme);
const TunnelKind& kind_of(const Encapsulation& encapsulation);

struct TunnelFacts {
    std::string_view scheme;
    std::string path;                     // where it leads to, as in its device string
    std::optional<IpAddress> first = {};  // of its path; nothing: the way begins at the router
    std::optional<uint32_t> vni = {};     // nothing: it has none, or several
    std::vector<OwnKey> keys = {};        // in the order of `TunnelKind::keys`
    std::optional<Ipv6Address> sid = {};  // of this end, which its underlay has to answer for
};
TunnelFacts facts_of(const Encapsulation& encapsulation);
// Empty if the tunnel can use the port of that name, which has an address of the version that the
// tunnel needs.
std::optional<WrongKey> wrong_end_of(const Encapsulation& encapsulation,
                                     const UnderlayConfig& underlay, const std::string& name);

}  // namespace sluice::config
