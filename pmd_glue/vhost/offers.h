// Offers: the offloads that a vhost device offers its guest. The arguments of DPDK's device make
// further offers (`tso=1`, device.cc).
#pragma once

#include <rte_ethdev.h>
#include <rte_vhost.h>

#include <cstdint>
#include <string>

namespace sluice::pmd::vhost {

// Receive offloads: checksums stay unfinished and flagged, instead of being computed over whole
// segments.
inline constexpr uint64_t checksums_left_in =
    RTE_ETH_RX_OFFLOAD_UDP_CKSUM | RTE_ETH_RX_OFFLOAD_TCP_CKSUM;

// Withdraws UFO, which means fragmentation of UDP and which the driver always offers: virtio 1.2,
// 5.1.3, bits 10, 14.
inline void offer_no_fragmentation(const std::string& socket) {
    constexpr uint64_t guest_ufo = uint64_t{1} << 10;
    constexpr uint64_t host_ufo = uint64_t{1} << 14;
    (void)rte_vhost_driver_disable_features(socket.c_str(), guest_ufo | host_ufo);
}

}  // namespace sluice::pmd::vhost
