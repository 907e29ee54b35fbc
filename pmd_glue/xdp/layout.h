// Layout: what the XDP program (program.bpf.c) and its loader (program.h) have in common: the words
// that the loader writes and the program reads, and the counts the other way. Both C and C++.
//
// Numbers are in the CPU's byte order, except words with `wire` in their name, which are in network
// order, to be compared with the octets of a frame.
#pragma once

#include <linux/types.h>

enum {
    xdp_most_rules = 16,
    xdp_most_addresses = 64,  // of the interface, of each family
    xdp_priorities = 8,
    xdp_any_vlan = 0xFFFF,
};

// A rule for the host: it keeps frames that match all of it.
struct xdp_rule {
    __u64 mac;   // of the destination, the first octet highest; without `has_mac`: any
    __u16 vlan;  // 0: frames of none; xdp_any_vlan
    __u16 ethertype;
    __u8 has_mac;
    __u8 has_ethertype;
    __u8 padding[2];
};

struct xdp_ipv6 {
    __u32 wire[4];
};

// The interface's own.
struct xdp_addresses {
    __u64 mac;
    __u32 ipv4s;
    __u32 ipv6s;
    __u32 wire_ipv4[xdp_most_addresses];
    struct xdp_ipv6 ipv6[xdp_most_addresses];
};

// The counts of one CPU, which alone writes them; two lines of its cache.
struct xdp_counts {
    __u64 to_switch;
    __u64 to_host;
    __u64 priority[xdp_priorities];  // of frames with a tag, by its PCP
    __u64 untagged;
    __u64 link_pause;   // 802.3x
    __u64 pfc_pause;    // 802.1Qbb
    __u64 without_tag;  // dropped, as there was no room for the tag that was beside it
    __u64 padding[2];
};
