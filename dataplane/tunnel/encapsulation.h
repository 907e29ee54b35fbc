// Encapsulation: how a tunnel's frames are carried: one of the kinds that there are. Each has a
// struct that says how, with the type of its header, whether that names flows, and how long it is;
// config/port/tunnel_kinds.h says how to add one.
#pragma once

#include <cstddef>
#include <variant>

#include "dataplane/tunnel/mpls.h"
#include "dataplane/tunnel/srv6.h"
#include "dataplane/tunnel/vxlan.h"
#include "dataplane/tunnel/vxlan6.h"

namespace sluice {

using Encapsulation = std::variant<VxlanTunnel, Srv6Tunnel, MplsTunnel, Vxlan6Tunnel>;

// The headers of the kinds, in their order.
template <class>
struct HeadersOf;
template <class... Tunnel>
struct HeadersOf<std::variant<Tunnel...>> {
    using type = std::variant<typename Tunnel::Header...>;
};

// For std::visit: what is done with each kind.
template <class... Each>
struct ByKind : Each... {
    using Each::operator()...;
};
template <class... Each>
ByKind(Each...) -> ByKind<Each...>;

// What goes before each frame.
constexpr std::size_t outer_octets(const Encapsulation& encapsulation) {
    return std::visit([](const auto& tunnel) { return outer_octets(tunnel); }, encapsulation);
}

// To VTEPs (bundle.h), and not to one other end.
constexpr bool leads_to_many(const Encapsulation& encapsulation) {
    const auto* const vxlan = std::get_if<VxlanTunnel>(&encapsulation);
    return vxlan != nullptr && vxlan->remote.bits == 0;
}

}  // namespace sluice
