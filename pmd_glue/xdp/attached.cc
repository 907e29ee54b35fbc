#include "pmd_glue/xdp/attached.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <linux/if_link.h>
#include <net/if.h>
#include <chrono>
#include <cstdint>
#include <thread>

#include "pmd_glue/file_descriptor.h"

namespace sluice::pmd::xdp {
namespace {

using namespace std::chrono_literals;

struct Attached {
    uint32_t program = 0;  // id of the program; 0 if there is none
    bool generic = false;
};

Attached attached_to(int index) {
    LIBBPF_OPTS(bpf_xdp_query_opts, found);
    if (index == 0 || bpf_xdp_query(index, 0, &found) != 0) return {};
    return {.program = found.prog_id, .generic = found.attach_mode == XDP_ATTACHED_SKB};
}

// Returns an empty name if we may not read it.
std::string name_of(uint32_t program) {
    const FileDescriptor descriptor(bpf_prog_get_fd_by_id(program));
    if (!descriptor.is_open()) return {};
    bpf_prog_info info{};
    uint32_t size = sizeof info;
    bpf_obj_get_info_by_fd(descriptor.number(), &info, &size);
    return info.name;
}

// Returns the link that keeps the program attached; 0 if there is none, or none that we may
// inspect.
uint32_t link_of(uint32_t program, int index) {
    for (uint32_t id = 0; bpf_link_get_next_id(id, &id) == 0;) {
        const FileDescriptor descriptor(bpf_link_get_fd_by_id(id));
        if (!descriptor.is_open()) continue;
        bpf_link_info info{};
        uint32_t size = sizeof info;
        bpf_obj_get_info_by_fd(descriptor.number(), &info, &size);
        if (info.type == BPF_LINK_TYPE_XDP && info.prog_id == program &&
            info.xdp.ifindex == static_cast<uint32_t>(index)) {
            return id;
        }
    }
    return 0;
}

std::string detaching(const std::string& interface, int index, const Attached& attached) {
    if (const uint32_t link = link_of(attached.program, index); link != 0) {
        return "bpftool link detach id " + std::to_string(link);
    }
    return "ip link set dev " + interface + (attached.generic ? " xdpgeneric off" : " xdp off");
}

}  // namespace

std::optional<Error> check_nothing_attached(const std::string& key, const std::string& interface) {
    const auto index = static_cast<int>(::if_nametoindex(interface.c_str()));
    const auto until = std::chrono::steady_clock::now() + 1s;
    Attached attached = attached_to(index);
    std::string name;
    while (attached.program != 0) {
        name = name_of(attached.program);
        const bool may_be_ours = name.empty() || name == program_name;
        if (!may_be_ours || std::chrono::steady_clock::now() > until) break;
        std::this_thread::sleep_for(10ms);
        attached = attached_to(index);
    }
    if (attached.program == 0) return std::nullopt;
    return Error{key,
                 "an XDP program is attached to " + interface + " (" +
                     (name.empty() ? "" : name + ", ") + "id " + std::to_string(attached.program) +
                     ")",
                 "stop the program that uses it, or, if none does, detach it with `" +
                     detaching(interface, index, attached) + "`"};
}

}  // namespace sluice::pmd::xdp
