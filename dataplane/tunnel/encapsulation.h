// Encapsulation: the kind of a tunnel and its parameters. Each kind is a struct with its
// parameters, the type of its header, whether the header identifies flows, and its length.
// config/port/tunnel_kinds.h describes how to add a kind.
#pragma once

#include <cstddef>
#include <variant>

#include "dataplane/tunnel/mpls.h"
#include "dataplane/tunnel/srv6.h"
#include "dataplane/tunnel/vxlan.h"
#include "dataplane/tunnel/vxlan6.h"

namespace sluice {

using Encapsulation = std::variant<VxlanTunnel, Srv6Tunnel, MplsTunnel, Vxlan6Tunnel>;

// The header types of the kinds, in the order of the kinds.
template <class>
struct HeadersOf;
template <class... Tunnel>
struct HeadersOf<std::variant<Tunnel...>> {
    using type = std::variant<typename Tunnel::Header...>;
};

// For std::visit: one function for each kind.
template <class... Each>
struct ByKind : Each... {
    using Each::operator()...;
};
template <class... Each>
ByKind(Each...) -> ByKind<Each...>;

// Returns the number of octets added before each frame.
constexpr std::size_t outer_octets(const Encapsulation& encapsulation) {
    return std::visit([](const auto& tunnel) { return outer_octets(tunnel); }, encapsulation);
}

// Whether the tunnel has many VTEPs (bundle.h) instead of one other end.
constexpr bool leads_to_many(const Encapsulation& encapsulation) {
    const auto* const vxlan = std::get_if<VxlanTunnel>(&encapsulation);
    return vxlan != nullptr && vxlan->remote.bits == 0;
}

}  // namespace sluice
