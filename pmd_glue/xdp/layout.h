// Layout: what the XDP program (program.bpf.c) and its loader (program.h) have in common: the words
// that the loader writes and the program reads, and the counters that the program writes and the
// loader reads. Valid C and C++.
//
// Numbers are in the CPU's byte order, except words with `wire` in their name, which are in network
// order, to be compared with the octets of a frame.
#pragma once

#include <linux/types.h>

enum {
    xdp_most_rules = 16,
    xdp_most_addresses = 64,  // addresses of the interface, of each family
    xdp_priorities = 8,
    xdp_any_vlan = 0xFFFF,
};

// A rule for the host, which keeps the frames that match all its fields.
struct xdp_rule {
    __u64 mac;   // destination, with the first octet in the highest bits; ignored without `has_mac`
    __u16 vlan;  // 0 matches untagged frames, xdp_any_vlan all
    __u16 ethertype;
    __u8 has_mac;
    __u8 has_ethertype;
    __u8 padding[2];
};

struct xdp_ipv6 {
    __u32 wire[4];
};

// Addresses of the interface.
struct xdp_addresses {
    __u64 mac;
    __u32 ipv4s;
    __u32 ipv6s;
    __u32 wire_ipv4[xdp_most_addresses];
    struct xdp_ipv6 ipv6[xdp_most_addresses];
};

// Counters of one CPU, which only that CPU writes; two cache lines.
struct xdp_counts {
    __u64 to_switch;
    __u64 to_host;
    __u64 priority[xdp_priorities];  // frames with a tag, by its PCP
    __u64 untagged;
    __u64 link_pause;   // 802.3x
    __u64 pfc_pause;    // 802.1Qbb
    __u64 without_tag;  // dropped, as there was no room to insert the separate tag
    __u64 padding[2];
};
