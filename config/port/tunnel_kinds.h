// Tunnel kinds: the differences between kinds of tunnels in the configuration. A row of the table
// defines the device string and the keys of a kind; functions in tunnel_kinds.cc define the rest,
// for the kind's struct (dataplane/tunnel/). Other code distinguishes kinds only if it supports a
// single one: EVPN and point-to-multipoint tunnels use VXLAN over IPv4.
//
// To add one:
//   1. dataplane/tunnel/: a file of its own, as mpls.h; its struct in encapsulation.h; its calls in
//      Decapsulator::add and Decapsulator::look; in arrival.h, a Refusal for each new reason why
//      its frames are refused, with its name in decapsulator.cc;
//   2. config/device_kind.h: its device string, as that header says;
//   3. tunnel_kinds.cc: its row, and the functions for its struct. Keys of its own are rows of
//      port_keys.h;
//   4. config/tunnels.md and the top README.md: its device string in the row of tunnels.
// If a row or a function is missing, the code does not compile; without Decapsulator::look the
// property of tests/property/tunnel_property.cc fails. Not checked: step 4, that `facts` has the
// scheme of the row, and that its keys are in the order of the row.
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

// A fault of a tunnel's key.
struct WrongKey {
    std::string_view key;
    std::string what;
    std::string remedy;
};
// A key that only one kind of tunnel has, and its value.
struct OwnKey {
    std::string_view name;
    std::string text;

    friend bool operator==(const OwnKey&, const OwnKey&) = default;
};

struct TunnelKind {
    std::string_view scheme;
    std::span<const std::string_view> keys;  // keys that only this kind has
    std::string (*form)();                   // returns the form of the device string, for a remedy
    // Returns where the name of the port below ends in the text after the scheme; npos: there is no
    // name.
    std::size_t (*name_end)(std::string_view rest, const Value& port);
    // Reads the encapsulation; `path` is the text after the name of the port below.
    std::optional<Encapsulation> (*read)(std::string_view path, const Value& port);
    // Description of the key that identifies the tunnel's frames at this end; it is the first of
    // `keys` and must be written. Empty: the device string identifies the frames.
    std::string_view local_end = {};
    std::optional<WrongKey> (*check_local)(const std::string& text) = nullptr;
    // true: the outer header carries the priority in a traffic class (MPLS); false: in a DSCP.
    bool by_labels = false;
};

std::span<const TunnelKind> tunnel_kinds();
// Returns null if no kind of tunnel has that scheme.
const TunnelKind* tunnel_kind(std::string_view scheme);
const TunnelKind& kind_of(const Encapsulation& encapsulation);

struct TunnelFacts {
    std::string_view scheme;
    std::string path;  // the path of the tunnel's device string
    // First address of the path; nothing: the packets are sent to the router.
    std::optional<IpAddress> first = {};
    std::optional<uint32_t> vni = {};     // nothing: there is none, or there are several
    std::vector<OwnKey> keys = {};        // in the order of `TunnelKind::keys`
    std::optional<Ipv6Address> sid = {};  // SID of this end, for which the port below has to answer
};
TunnelFacts facts_of(const Encapsulation& encapsulation);
// Checks that the tunnel can use `underlay`, the port `name`, which has an address of the tunnel's
// IP version. Returns nothing if it can.
std::optional<WrongKey> wrong_end_of(const Encapsulation& encapsulation,
                                     const UnderlayConfig& underlay, const std::string& name);

}  // namespace sluice::config
