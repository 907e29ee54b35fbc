#include "pmd_glue/xdp/program.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <linux/if_link.h>
#include <net/if.h>
#include <sluice_xdp.skel.h>
#include <sluice_xdp_tags.skel.h>
#include <sys/mman.h>
#include <algorithm>
#include <atomic>
#include <cstring>
#include <type_traits>
#include <utility>

#include "pmd_glue/driver_log.h"
#include "pmd_glue/nic/nic_settings.h"

namespace sluice::pmd::xdp {
namespace {

constexpr uint32_t bound_to_device = 1U << 6;  // BPF_F_XDP_DEV_BOUND_ONLY, Linux 6.3

xdp_rule as_kernel_has_it(const HostRule& rule) {
    return {.mac = rule.mac ? rule.mac->bits : 0,
            .vlan = rule.vlan.value_or(xdp_any_vlan),
            .ethertype = rule.ethertype.value_or(0),
            .has_mac = rule.mac.has_value(),
            .has_ethertype = rule.ethertype.has_value(),
            .padding = {}};
}

void add(Counts& sum, const volatile xdp_counts& of_cpu) {
    sum.to_switch += of_cpu.to_switch;
    sum.to_host += of_cpu.to_host;
    for (std::size_t i = 0; i < xdp_priorities; ++i) sum.priority[i] += of_cpu.priority[i];
    sum.untagged += of_cpu.untagged;
    sum.link_pause += of_cpu.link_pause;
    sum.pfc_pause += of_cpu.pfc_pause;
    sum.without_tag += of_cpu.without_tag;
}

}  // namespace

// Two copies of the addresses; the program reads the one in use.
struct AddressCopies {
    xdp_addresses* first = nullptr;
    uint32_t* in_use = nullptr;
};

struct Program::Kernel {
    Kernel() = default;
    ~Kernel() {
        if (counts != MAP_FAILED) ::munmap(counts, size);
        bpf_link__destroy(link);
    }
    Kernel(const Kernel&) = delete;
    Kernel& operator=(const Kernel&) = delete;

    std::shared_ptr<void> object;  // the skeleton that libbpf made of either build of the program
    bpf_program* program = nullptr;
    bpf_map* sockets = nullptr;
    bpf_map* counts_map = nullptr;
    AddressCopies addresses;
    bpf_link* link = nullptr;
    void* counts = MAP_FAILED;
    std::size_t size = 0;
    std::size_t cpus = 0;
};

tl::expected<std::unique_ptr<Program>, Error> Program::attach(const std::string& key,
                                                              const std::string& interface,
                                                              const HostShare& host) {
    std::unique_ptr<Program> program(new Program(interface, host));
    if (auto error = program->put_in_place(key, host)) return tl::unexpected(std::move(*error));
    program->look_at_mode();
    return program;
}

// Loads and attaches the program. On a veth, first tries the build that reads separate tags, which
// needs a kernel that passes them and the capability to use it.
std::optional<Error> Program::put_in_place(const std::string& key, const HostShare& host) {
    const bool is_veth = nic::ethtool_settings(interface_)->driver() == "veth";
    if (is_veth) {
        reads_tags_ = !load<sluice_xdp_tags>(key, host) && !take_frames(key);
        if (reads_tags_) return std::nullopt;
        kernel_ = std::make_unique<Kernel>();
        notices_ = {interface_ +
                    ": VLAN tags that a host passes outside its frames cannot be read, so the "
                    "frames arrive untagged (reading them needs Linux 6.8 or later and "
                    "CAP_PERFMON); at the host, `ethtool -K eth0 txvlan off`, or use af_packet:"};
    }
    if (auto error = load<sluice_xdp>(key, host)) return error;
    return take_frames(key);
}

Program::Program(std::string interface, const HostShare& host)
    : interface_(std::move(interface)),
      sockets_(take_sockets(interface_)),
      changes_(host.addresses ? std::make_unique<AddressChanges>() : nullptr),
      kernel_(std::make_unique<Kernel>()) {}

Program::~Program() = default;

template <class Skeleton>
std::optional<Error> Program::load(const std::string& key, const HostShare& host) {
    const auto cannot = [&](const char* what) { return explain(key, what, interface_); };
    Kernel& kernel = *kernel_;
    Skeleton* const object = Skeleton::open();
    kernel.object = std::shared_ptr<Skeleton>(object, Skeleton::destroy);
    if (object == nullptr) return cannot("its XDP program cannot be read");
    kernel.program = object->progs.sluice_xdp;
    kernel.sockets = object->maps.xsks_map;
    kernel.counts_map = object->maps.counts;
    if constexpr (std::is_same_v<Skeleton, sluice_xdp_tags>) {
        bpf_program__set_ifindex(kernel.program, ::if_nametoindex(interface_.c_str()));
        bpf_program__set_flags(kernel.program, bound_to_device);
    }
    auto& constants = *object->rodata;
    constants.shares = host.shares();
    constants.keeps_addresses = host.addresses;
    if (host.rules.size() > xdp_most_rules) {
        return Error{key, "has more rules than its XDP program holds",
                     "write " + std::to_string(xdp_most_rules) + " at the most"};
    }
    for (const HostRule& rule : host.rules) {
        const xdp_rule kept = as_kernel_has_it(rule);
        std::memcpy(&constants.rule[constants.rules++], &kept, sizeof kept);
    }
    kernel.cpus = static_cast<std::size_t>(std::max(libbpf_num_possible_cpus(), 1));
    bpf_map__set_max_entries(kernel.counts_map, static_cast<uint32_t>(kernel.cpus));
    if (Skeleton::load(object) != 0) return cannot("its XDP program cannot be loaded");
    kernel.addresses = {.first = object->bss->addresses, .in_use = &object->bss->addresses_in_use};
    kernel.size = kernel.cpus * sizeof(xdp_counts);
    kernel.counts =
        ::mmap(nullptr, kernel.size, PROT_READ, MAP_SHARED, bpf_map__fd(kernel.counts_map), 0);
    if (kernel.counts == MAP_FAILED) return cannot("the counts of its XDP program cannot be read");
    return std::nullopt;
}

// Adds the sockets before the program is attached, so that the program has sockets when it gets its
// first frame.
std::optional<Error> Program::take_frames(const std::string& key) {
    if (sockets_.empty()) {
        return explain(key, "no XDP socket of its driver was found", interface_);
    }
    const int map = bpf_map__fd(kernel_->sockets);
    for (const Socket& socket : sockets_) {
        if (bpf_map_update_elem(map, &socket.queue, &socket.descriptor, BPF_ANY) == 0) continue;
        return explain(
            key,
            "its XDP program does not take the socket of queue " + std::to_string(socket.queue),
            interface_);
    }
    if (changes_) {
        const auto found = addresses_of(interface_);
        if (!found)
            return explain(key, "the addresses of its interface cannot be read", interface_);
        write_addresses(*found);
    }
    kernel_->link = bpf_program__attach_xdp(kernel_->program,
                                            static_cast<int>(::if_nametoindex(interface_.c_str())));
    if (kernel_->link != nullptr) return std::nullopt;
    return explain(key, "its XDP program cannot be attached", interface_);
}

void Program::look_at_mode() {
    LIBBPF_OPTS(bpf_xdp_query_opts, found);
    const auto index = static_cast<int>(::if_nametoindex(interface_.c_str()));
    if (bpf_xdp_query(index, 0, &found) == 0) native_ = found.attach_mode == XDP_ATTACHED_DRV;
    zero_copy_ = std::ranges::all_of(sockets_, is_zero_copy);
    if (!native_) {
        notices_.push_back(interface_ +
                           ": its driver has no XDP, so the kernel first copies each frame to a "
                           "buffer, which is slower; see `ethtool -i " +
                           interface_ + "` for the driver");
    }
    if (!std::ranges::all_of(sockets_, prefers_busy_poll)) {
        notices_.push_back(interface_ +
                           ": busy polling is refused, so an empty poll may wait for the kernel "
                           "up to 1 s; run with CAP_NET_ADMIN on Linux 5.11 or later");
    }
}

void Program::write_addresses(const FoundAddresses& found) {
    const std::atomic_ref in_use(*kernel_->addresses.in_use);
    const uint32_t spare = 1 - in_use.load(std::memory_order_relaxed);
    kernel_->addresses.first[spare] = found.kept;
    left_out_ = found.left_out;
    in_use.store(spare, std::memory_order_release);
}

void Program::follow_addresses() {
    if (!changes_ || (!changes_->look() && !asks_again_)) return;
    const auto found = addresses_of(interface_);
    asks_again_ = !found;
    if (found) write_addresses(*found);
}

std::size_t Program::take_left_out() {
    const std::size_t before = std::exchange(reported_left_out_, left_out_);
    return left_out_ > before ? left_out_ : 0;
}

Counts Program::counts() const {
    Counts sum;
    const auto* const of_cpus = static_cast<const volatile xdp_counts*>(kernel_->counts);
    for (std::size_t cpu = 0; cpu < kernel_->cpus; ++cpu) add(sum, of_cpus[cpu]);
    return sum;
}

Report Program::report() const {
    return {.native = native_,
            .zero_copy = zero_copy_,
            .reads_tags = reads_tags_,
            .counts = counts(),
            .sockets = statistics_of(sockets_)};
}

}  // namespace sluice::pmd::xdp
