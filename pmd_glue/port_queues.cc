// Port queues: gives a port as many queues as its device, lanes and priorities need.
#include <rte_ethdev.h>
#include <algorithm>
#include <bit>
#include <iterator>

#include "config/device_buffers.h"
#include "pmd_glue/dpdk_release.h"
#include "pmd_glue/driver_log.h"
#include "pmd_glue/nic/ethdev.h"
#include "pmd_glue/nic/nic_settings.h"
#include "pmd_glue/port.h"
#include "pmd_glue/port_rings.h"
#include "pmd_glue/privileges.h"
#include "pmd_glue/spread.h"
#include "pmd_glue/vhost/offers.h"

namespace sluice::pmd {
namespace {

// Returns the length of a buffer: an odd number of cache lines, so that the first lines of frames
// are spread over the cache sets: buffers of 2 KiB would all begin in two sets of the first-level
// cache. A client chooses the length of the buffers for both ends.
uint32_t memif_buffer(Bytes max_frame) {
    const auto octets = std::max(2048U, static_cast<unsigned>(max_frame.count()));
    return ((octets + 63) / 64 | 1U) * 64;
}

// Returns the priority for frames that the switch generates, such as LLDP, which must not wait for
// a peer that pauses.
Priority highest_lossy(PrioritySet lossless) {
    const auto lossy = static_cast<PrioritySet>(~lossless);
    return static_cast<Priority>(lossy == 0 ? 0 : std::bit_width(lossy) - 1);
}

}  // namespace

std::optional<Error> check_lanes(const PortRequest& request) {
    const uint16_t queues = request.device.queues();
    if (request.lanes <= queues) return std::nullopt;
    return Error{request.device.text,
                 std::to_string(request.lanes) + " lanes have " + std::to_string(queues) +
                     (queues == 1 ? " queue" : " queues"),
                 "open as many queues, such as with `queues=" + std::to_string(request.lanes) +
                     "`, where the device has them"};
}

// Checks as much as is known before the device is open.
std::optional<Error> check_queues(const PortRequest& request) {
    const Device& device = request.device;
    if (!request.queues.by_nic) return std::nullopt;
    const auto cannot = [&](std::string what, std::string remedy) {
        return Error{device.text, "pfc.by is nic, and " + std::move(what), std::move(remedy)};
    };
    const DeviceTraits& traits = device.traits();
    if (!traits.common_ring && !traits.may_be_nic()) {
        return cannot("it has no queue for each priority with PFC of its own",
                      "write pfc: {by: switch}, or see config/nics.md for devices that have");
    }
    if (request.lanes > 1) {
        return cannot("its queues are shared out among lanes",
                      "leave `lanes` out: a queue is one priority's");
    }
    if (device.spreads()) {
        return cannot("its queues are spread over", "leave `spread` out");
    }
    if (traits.common_ring && device.queues() != max_priorities) {
        return cannot("it does not have a queue for each priority",
                      "write `queues=8`, at both ends");
    }
    if (traits.may_be_nic() && device.has("queues")) {
        return cannot("`queues=` sets another number of queues", "leave `queues=` out");
    }
    return std::nullopt;
}

std::size_t buffers_for(const PortRequest& request) {
    const DeviceRings rings{
        .queues = request.device.queues(),
        .receive = request.rx_descriptors,
        .transmit = request.tx_descriptors,
        .is_underlay = request.underlay.has_value(),
        .leads_to_many = request.tunnel && leads_to_many(request.tunnel->encapsulation),
        .by_nic = request.queues.by_nic};
    return buffers_in(request.device.traits(), rings) + request.kept;
}

std::optional<Error> Port::no_queues(const std::string& why) const {
    return Error{device_.text, "pfc.by is nic, and " + why,
                 "write pfc: {by: switch}, or see config/nics.md for devices that have"};
}

std::optional<Error> Port::start_memif(const PortRequest& request, Pool& pool) {
    queues_ = device_.queues();
    if (by_queue_) {
        const nic::DriverRow& row = nic::row_of(nic::ethdev_drivers(), "memif");
        by_priority_ = *nic::set_queues(ethdev_, row, request.queues.lossless);
        generated_by_ = by_priority_.send[highest_lossy(request.queues.lossless)];
    }
    tx_descriptors_ = common_ring(request);
    own_buffers_ = pool.native();
    const bool is_client = device_.has("client");
    const memif::Shape shape{
        .to_server = is_client ? senders_ : queues_,
        .to_client = is_client ? queues_ : senders_,
        .log2_ring_size = static_cast<uint8_t>(std::bit_width(common_ring(request)) - 1),
        .buffer_octets = memif_buffer(frame_for_mtu(request.mtu))};
    auto opened =
        memif::Interface::open({.socket = device_.target,
                                .id = device_.id(),
                                .role = is_client ? memif::Role::client : memif::Role::server,
                                .name = name_,
                                .shape = shape,
                                .least_rings = by_queue_ ? queues_ : uint16_t{0},
                                .trusted = device_.has("trusted")});
    if (!opened) {
        const auto& [what, remedy] = opened.error();
        return Error{device_.text, what, remedy};
    }
    memif_ = std::move(*opened);
    return std::nullopt;
}

std::optional<Error> Port::start_packet(const PortRequest& request, Pool& pool) {
    queues_ = device_.queues();
    tx_descriptors_ = request.tx_descriptors;
    own_buffers_ = pool.native();
    auto opened = packet::Interface::open(
        {.name = device_.target,
         .longest = static_cast<std::size_t>(frame_for_mtu(request.mtu).count()),
         .rx_descriptors = request.rx_descriptors,
         .tx_descriptors = request.tx_descriptors,
         .promiscuous = request.promiscuous,
         .is_tap = device_.traits().makes_interface(),
         .queues = queues_});
    if (!opened) {
        return Error{device_.text, std::move(opened.error()),
                     device_.traits().makes_interface()
                         ? "run as root, or name an interface that is not there"
                         : "run as root, on Linux 4.20 or later, or use af_xdp:"};
    }
    packet_ = std::move(*opened);
    for (const std::string& notice : packet_->notices()) notices_.push_back(name_ + ": " + notice);
    return std::nullopt;
}

std::optional<Error> Port::start_queues(const PortRequest& request, Pool& pool) {
    const auto cannot = [&](const char* what, int result) {
        return explain(device_.text, std::string(what) + failure(result), device_.target);
    };
    rte_eth_dev_info info{};
    int result = rte_eth_dev_info_get(ethdev_, &info);
    if (result != 0) return cannot("it does not report its capabilities", result);
    const std::string_view driver = info.driver_name != nullptr ? info.driver_name : "";
    const nic::DriverRow& row = nic::row_of(nic::ethdev_drivers(), driver);
    queues_ = by_queue_ ? nic::queues_to_open(row) : device_.queues();
    rte_eth_conf conf{};
    if (by_queue_) {
        const bool on_pci = device_.traits().is_pci();
        const uint16_t number = on_pci ? nic::pci_device(device_.target) : uint16_t{0};
        if (const auto why = nic::why_not(row, number, running_release())) return no_queues(*why);
        nic::ask_for_queues(row, conf);
    }
    if (device_.traits().is_pci()) {
        conf.rxmode.mtu = request.mtu;
        if (queues_ > info.max_rx_queues) {
            return Error{device_.text, "it has " + std::to_string(info.max_rx_queues) + " queues",
                         "open no more of them"};
        }
        if (queues_ > 1 && !by_queue_ && !ask_to_spread(info, conf)) {
            notices_.push_back(name_ + ": the NIC does not spread frames by their addresses");
        }
    }
    if (device_.traits().has_guest) {
        conf.rxmode.offloads = info.rx_offload_capa & vhost::checksums_left_in;
        guest_ = std::make_unique<vhost::Guest>(ethdev_, queues_, pool.native());
    }
    // One transmit queue is enough, but these devices have queues only in pairs.
    const bool paired = by_queue_ || device_.traits().paired_queues;
    const uint16_t senders = paired ? queues_ : 1;
    const bool one_more = row.has_pause_queue && !by_queue_ && info.max_tx_queues > senders;
    const auto configure = [&] { result = configure_queues(conf, senders, one_more); };
    if (device_.traits().has_guest) {  // the driver creates threads in this call
        confined(configure);
        vhost::offer_no_fragmentation(device_.target);
    } else {
        configure();
    }
    if (result != 0) return cannot("it refuses its configuration", result);
    if (result = set_up_queues(request, pool, senders, row); result != 0) {
        return cannot("its queues cannot be set up", result);
    }
    if (result = rte_eth_dev_start(ethdev_); result != 0) {
        return cannot("it does not start", result);
    }
    started_ = true;
    if (by_queue_) {
        auto queues = nic::set_queues(ethdev_, row, request.queues.lossless);
        if (!queues) return no_queues(queues.error());
        by_priority_ = *queues;
        pause_counters_ = nic::PauseCounters(ethdev_, row);
        generated_by_ = by_priority_.send[highest_lossy(request.queues.lossless)];
    }
    if (device_.traits().by_xdp()) {
        auto program = xdp::Program::attach(device_.text, device_.target, request.host);
        if (!program) return std::move(program.error());
        xdp_ = std::move(*program);
        // The far end of a veth is a kernel, which leaves checksums to the network card.
        finishes_ = nic::ethtool_settings(device_.target)->driver() == "veth";
        std::ranges::copy(xdp_->notices(), std::back_inserter(notices_));
    }
    return std::nullopt;
}

// Adds a queue for pauses, unless the driver refuses: some drivers have queues only in pairs.
int Port::configure_queues(const rte_eth_conf& conf, uint16_t senders, bool one_more) {
    if (one_more) {
        const auto with_pauses = static_cast<uint16_t>(senders + 1);
        if (rte_eth_dev_configure(ethdev_, queues_, with_pauses, &conf) == 0) {
            pause_queue_ = senders;
            return 0;
        }
    }
    return rte_eth_dev_configure(ethdev_, queues_, senders, &conf);
}

int Port::set_up_queues(const PortRequest& request, Pool& pool, uint16_t senders,
                        const nic::DriverRow& row) {
    auto receive = static_cast<uint16_t>(receive_ring(device_.traits(), request.rx_descriptors));
    auto transmit = static_cast<uint16_t>(request.tx_descriptors);
    uint16_t pauses = pause_ring;
    rte_eth_dev_adjust_nb_rx_tx_desc(ethdev_, &receive, &transmit);
    rte_eth_dev_adjust_nb_rx_tx_desc(ethdev_, nullptr, &pauses);
    tx_descriptors_ = device_.traits().common_ring ? common_ring(request) : transmit;
    const auto own_node = static_cast<unsigned>(std::max(rte_eth_dev_socket_id(ethdev_), 0));
    const unsigned socket = pool.node().value_or(own_node);
    int result = 0;
    for (uint16_t queue = 0; queue < queues_ && result == 0; ++queue) {
        const bool receives = !by_queue_ || nic::is_used(row, queue, false);
        const bool sends = !by_queue_ || nic::is_used(row, queue, true);
        result = rte_eth_rx_queue_setup(ethdev_, queue, receives ? receive : idle_ring, socket,
                                        nullptr, pool.native());
        if (result == 0 && queue < senders) {
            result = rte_eth_tx_queue_setup(ethdev_, queue, sends ? transmit : idle_ring, socket,
                                            nullptr);
        }
    }
    if (result != 0 || pause_queue_ == 0) return result;
    return rte_eth_tx_queue_setup(ethdev_, pause_queue_, pauses, socket, nullptr);
}

}  // namespace sluice::pmd
