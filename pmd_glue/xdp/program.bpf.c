/* XDP program: decides about each frame that an interface receives, before the kernel's stack sees
 * it: the switch receives it by the AF_XDP socket of its queue, or the host keeps it.
 *
 * The host keeps no frames unless it shares the interface (`ports[].host`). Then it keeps frames
 * for the interface's own MAC, ARP requests and neighbour solicitations for its IP addresses, and
 * frames that match a rule. No frame is passed to both: XDP makes no copies. MAC control always
 * goes to the switch, since only the switch handles pauses. A frame that ends before its EtherType
 * counts as untagged, and goes to the switch, which counts it as malformed.
 * The kernel may keep a tag separate from the frame, for example one that a host at the far end of
 * a veth has set. The tag is inserted again before the switch gets the frame, in the build with
 * SLUICE_READS_TAGS. It needs a kernel that passes such tags (bpf_xdp_metadata_rx_vlan_tag, Linux
 * 6.8) and a driver that does; the program is bound to that driver's device.
 * Counters are incremented without atomics: programs on one CPU run one after the other, and each
 * CPU has its own counters.
 * Bound: parses two tags; 16 rules, 64 addresses of each family. If the host shares nothing, the
 * verifier removes the host's part, since the constant `shares` is 0.
 * Source: 802.1Q 9.6 (tag), 802.3 31 and 31B (pause), 802.1Q 36 (PFC), RFC 826, RFC 4861 7.1.1. */
#include <linux/bpf.h>
#include <stdbool.h>

#include <bpf/bpf_endian.h>
#include <bpf/bpf_helpers.h>

#include "layout.h"

enum {
    ethertype_ip6 = 0x86DD,
    ethertype_arp = 0x0806,
    ethertype_mac_control = 0x8808,
    ethertype_customer_tag = 0x8100,
    ethertype_service_tag = 0x88A8,
    opcode_pause = 0x0001,
    opcode_pfc = 0x0101,
    arp_request = 1,
    next_is_icmp6 = 58,
    neighbour_solicitation = 135,
};

/* Without CAP_PERFMON the verifier refuses arithmetic on pointers that depend on a branch. */
#define UNROLLED _Pragma("clang loop unroll(full)")

/* Constant, set before the program is loaded. */
const volatile __u8 shares = 0;          /* the host keeps some frames */
const volatile __u8 keeps_addresses = 0; /* `addresses` are the host's */
const volatile __u32 rules = 0;
const volatile struct xdp_rule rule[xdp_most_rules] = {};

/* Written while the program runs: first the copy that is not in use, then the number of the copy
 * that is. */
struct xdp_addresses addresses[2] = {};
__u32 addresses_in_use = 0;

struct {
    __uint(type, BPF_MAP_TYPE_XSKMAP);
    __uint(max_entries, 64);
    __type(key, __u32);
    __type(value, __u32);
} xsks_map SEC(".maps");

/* By CPU; the loader sets its length to the number of possible CPUs, and maps its memory. */
struct {
    __uint(type, BPF_MAP_TYPE_ARRAY);
    __uint(map_flags, BPF_F_MMAPABLE);
    __uint(max_entries, 1);
    __type(key, __u32);
    __type(value, struct xdp_counts);
} counts SEC(".maps");

struct head {
    __u64 destination;
    __u8 *payload; /* after the tags and the EtherType */
    __u16 vlan;    /* 0 without a tag */
    __u16 ethertype;
    __u8 priority;
    bool tagged;
};

static __always_inline __u16 octets16(const __u8 *octets) {
    return (__u16)(octets[0] << 8 | octets[1]);
}

static __always_inline __u32 word(const __u8 *octets) {
    return octets[0] | octets[1] << 8 | octets[2] << 16 | (__u32)octets[3] << 24;
}

static __always_inline bool is_tag(__u16 ethertype) {
    return ethertype == ethertype_customer_tag || ethertype == ethertype_service_tag;
}

/* Returns whether the frame has an EtherType. */
static __always_inline bool parse(__u8 *data, const __u8 *end, struct head *head) {
    if (data + 14 > end) return false;
    for (int i = 0; i < 6; ++i) head->destination = head->destination << 8 | data[i];
    head->ethertype = octets16(data + 12);
    head->payload = data + 14;
    for (int tag = 0; tag < 2; ++tag) {
        if (!is_tag(head->ethertype)) break;
        __u8 *const octets = head->payload;
        if (octets + 4 > end) return tag > 0;
        const __u16 control = octets16(octets);
        if (tag == 0) {
            head->tagged = true;
            head->priority = (__u8)(control >> 13);
            head->vlan = control & 0x0FFF;
        }
        head->ethertype = octets16(octets + 2);
        head->payload = octets + 4;
    }
    return true;
}

#ifdef SLUICE_READS_TAGS
extern int bpf_xdp_metadata_rx_vlan_tag(const struct xdp_md *context, __be16 *type,
                                        __u16 *control) __ksym;

struct beside {
    __u16 type; /* as on the wire; 0 if there is no separate tag */
    __u16 control;
};

static __always_inline struct beside tag_beside(struct xdp_md *context) {
    struct beside tag = {};
    if (bpf_xdp_metadata_rx_vlan_tag(context, &tag.type, &tag.control) != 0) tag.type = 0;
    return tag;
}

/* The separate tag precedes the tags in the frame. */
static __always_inline void note_beside(const struct beside *tag, struct head *head) {
    if (tag->type == 0) return;
    head->tagged = true;
    head->priority = (__u8)(tag->control >> 13);
    head->vlan = tag->control & 0x0FFF;
}

/* Inserts the tag. Returns false if there is no room. */
static __always_inline bool put_back(struct xdp_md *context, const struct beside *tag) {
    if (bpf_xdp_adjust_head(context, -4) != 0) return false;
    __u8 *const data = (__u8 *)(long)context->data;
    const __u8 *const end = (const __u8 *)(long)context->data_end;
    if (data + 16 > end) return false;
    for (int i = 0; i < 12; ++i) data[i] = data[i + 4];
    *(__u16 *)(data + 12) = tag->type;
    *(__u16 *)(data + 14) = bpf_htons(tag->control);
    return true;
}
#endif

static __always_inline void count_pause(const struct head *head, const __u8 *end,
                                        struct xdp_counts *count) {
    if (head->payload + 2 > end) return;
    const __u16 opcode = octets16(head->payload);
    /* Adds 0 or 1, since with a branch the pointer would depend on it. */
    count->link_pause += opcode == opcode_pause;
    count->pfc_pause += opcode == opcode_pfc;
}

static __always_inline bool is_request_for(const struct head *head, const __u8 *end,
                                           const struct xdp_addresses *own) {
    const __u8 *const arp = head->payload;
    if (arp + 28 > end || octets16(arp + 6) != arp_request) return false;
    const __u32 target = word(arp + 24);
    UNROLLED
    for (__u32 i = 0; i < xdp_most_addresses; ++i) {
        if (i >= own->ipv4s) break;
        if (own->wire_ipv4[i] == target) return true;
    }
    return false;
}

static __always_inline bool is_solicitation_for(const struct head *head, const __u8 *end,
                                                const struct xdp_addresses *own) {
    const __u8 *const ip = head->payload;
    if (ip + 64 > end || ip[6] != next_is_icmp6 || ip[40] != neighbour_solicitation) return false;
    const __u32 target[4] = {word(ip + 48), word(ip + 52), word(ip + 56), word(ip + 60)};
    UNROLLED
    for (__u32 i = 0; i < xdp_most_addresses; ++i) {
        if (i >= own->ipv6s) break;
        const __u32 *const wire = own->ipv6[i].wire;
        if (wire[0] == target[0] && wire[1] == target[1] && wire[2] == target[2] &&
            wire[3] == target[3]) {
            return true;
        }
    }
    return false;
}

/* In a VLAN the same IP addresses belong to another host: a VLAN is a link of its own. */
static __always_inline bool is_for_own_address(const struct head *head, const __u8 *end) {
    const struct xdp_addresses *const own = &addresses[addresses_in_use & 1];
    if (head->destination == own->mac) return true;
    if (head->vlan != 0) return false;
    if (head->ethertype == ethertype_arp) return is_request_for(head, end, own);
    if (head->ethertype == ethertype_ip6) return is_solicitation_for(head, end, own);
    return false;
}

static __always_inline bool a_rule_names(const struct head *head) {
    UNROLLED
    for (__u32 i = 0; i < xdp_most_rules; ++i) {
        if (i >= rules) break;
        const volatile struct xdp_rule *const one = &rule[i];
        if ((!one->has_mac || one->mac == head->destination) &&
            (one->vlan == xdp_any_vlan || one->vlan == head->vlan) &&
            (!one->has_ethertype || one->ethertype == head->ethertype)) {
            return true;
        }
    }
    return false;
}

static __always_inline bool is_for_host(const struct head *head, const __u8 *end) {
    return (keeps_addresses && is_for_own_address(head, end)) || a_rule_names(head);
}

SEC("xdp")
int sluice_xdp(struct xdp_md *context) {
    __u8 *const data = (__u8 *)(long)context->data;
    const __u8 *const end = (const __u8 *)(long)context->data_end;
    const __u32 cpu = bpf_get_smp_processor_id();
    struct xdp_counts *const count = bpf_map_lookup_elem(&counts, &cpu);
    if (!count) return XDP_ABORTED;
    struct head head = {};
    const bool has_ethertype = parse(data, end, &head);
#ifdef SLUICE_READS_TAGS
    const struct beside tag = tag_beside(context);
    note_beside(&tag, &head);
#endif
    if (head.tagged) {
        ++count->priority[head.priority & 7];
    } else {
        ++count->untagged;
    }
    const bool is_control = head.ethertype == ethertype_mac_control;
    if (has_ethertype && is_control) count_pause(&head, end, count);
    int verdict = XDP_PASS;
    if (!shares || !has_ethertype || is_control || !is_for_host(&head, end)) {
        verdict = bpf_redirect_map(&xsks_map, context->rx_queue_index, XDP_PASS);
#ifdef SLUICE_READS_TAGS
        if (verdict == XDP_REDIRECT && tag.type != 0 && !put_back(context, &tag)) {
            ++count->without_tag;
            return XDP_DROP;
        }
#endif
    }
    if (verdict == XDP_REDIRECT) {
        ++count->to_switch;
    } else {
        ++count->to_host;
    }
    return verdict;
}

/* Some of the kernel's functions need a licence that is compatible with the GPL; this file is
 * licensed under either. */
#ifdef SLUICE_READS_TAGS
char terms[] SEC("license") = "Dual BSD/GPL";
#else
char terms[] SEC("license") = "BSD-3-Clause";
#endif
