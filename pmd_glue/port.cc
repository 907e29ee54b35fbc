#include "pmd_glue/port.h"

#include <rte_bus_vdev.h>
#include <rte_ethdev.h>
#include <unistd.h>
#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>

#include "pmd_glue/driver_log.h"
#include "pmd_glue/eal.h"
#include "pmd_glue/kernel_interface.h"
#include "pmd_glue/nic/ethdev.h"
#include "pmd_glue/nic/nic_settings.h"
#include "pmd_glue/own_address.h"
#include "pmd_glue/packet/kept_out.h"
#include "pmd_glue/port_rings.h"
#include "pmd_glue/ring_pair.h"

namespace sluice::pmd {
namespace {

// The speed that DPDK's driver reports for a memif.
constexpr BitsPerSecond memif_speed{100'000'000'000};
constexpr uint16_t no_ethdev = RTE_MAX_ETHPORTS;
// Calls of `link` between checks of the far end; the kernel lists interfaces one at a time.
constexpr unsigned looks_a_far_end = 10;

std::string unique_driver_name(const std::string& driver) {
    static std::atomic<unsigned> number{0};
    return driver + "_sluice" + std::to_string(number++);
}

MacAddress made_for(const PortRequest& request) {
    return own_address(request.identity, request.device.text, request.name);
}

struct RingName {
    std::string name;
    RingEnd end;
};
RingName ring_name(const Device& device) {
    const std::string& target = device.target;
    if (target.ends_with("/a")) return {target.substr(0, target.size() - 2), RingEnd::a};
    if (target.ends_with("/b")) return {target.substr(0, target.size() - 2), RingEnd::b};
    return {target, RingEnd::loop};
}

// Creates or finds DPDK's device.
tl::expected<uint16_t, Error> attach(const PortRequest& request) {
    const Device& device = request.device;
    const DeviceTraits& traits = device.traits();
    if (traits.copies()) return no_ethdev;
    if (traits.is_ring()) {
        const auto [name, end] = ring_name(device);
        return open_ring(name, end, common_ring(request), device.queues());
    }
    std::string name = device.target;
    std::string arguments = device.arguments;
    if (!traits.is_pci()) {
        if (!traits.driver.empty()) {
            auto words = driver_arguments(device);
            name = unique_driver_name(words.driver);
            arguments = std::move(words.arguments);
        }
        if (const int result = rte_vdev_init(name.c_str(), arguments.c_str()); result != 0) {
            return tl::unexpected(
                explain(device.text, "DPDK cannot open it" + failure(result), device.target));
        }
    }
    uint16_t ethdev = 0;
    if (rte_eth_dev_get_port_by_name(name.c_str(), &ethdev) == 0) return ethdev;
    if (!traits.is_pci()) rte_vdev_uninit(name.c_str());
    return tl::unexpected(explain(device.text, "DPDK has no driver for it", device.target));
}

std::optional<Error> check_request(const PortRequest& request, const Pool& pool) {
    for (const unsigned descriptors : {request.rx_descriptors, request.tx_descriptors}) {
        if (!std::has_single_bit(descriptors) || descriptors < 128 || descriptors > 8192) {
            return Error{request.name, std::to_string(descriptors) + " descriptors",
                         "use a power of two, 128 to 8192"};
        }
    }
    if (auto error = check_lanes(request)) return error;
    if (auto error = check_queues(request)) return error;
    if (frame_for_mtu(request.mtu) > pool.room()) {
        return Error{request.name,
                     "frames of MTU " + std::to_string(request.mtu) + " do not fit the buffers",
                     "use " + std::to_string(pool.room().count() - 22) + " or less"};
    }
    if (auto error = check_device(request.device)) return error;
    return request.has_checked_capture ? std::nullopt : check_capture(request.device);
}

// Returns the number of transmit queues for frames.
uint16_t senders_of(const PortRequest& request) {
    if (request.queues.by_nic) return max_priorities;
    return request.device.spreads() ? request.device.queues() : uint16_t{1};
}

// Whether sysfs has lost the PCI device. Few drivers report the removal of a card, whose registers
// then read as all ones.
bool is_unplugged(const Device& device) {
    if (!device.traits().is_pci()) return false;
    return ::access(("/sys/bus/pci/devices/" + device.target).c_str(), F_OK) != 0;
}

}  // namespace

std::size_t most_ports() { return RTE_MAX_ETHPORTS; }

tl::expected<std::unique_ptr<Port>, Error> Port::open(const PortRequest& request, Pool& pool) {
    if (auto error = check_request(request, pool)) return tl::unexpected(std::move(*error));
    if (request.device.traits().is_tunnel()) {
        if (!request.tunnel) {
            return tl::unexpected(Error{request.device.text,
                                        "is a tunnel, which only a switch can open",
                                        "name a device that is not a tunnel"});
        }
        std::unique_ptr<Port> port(new Port(request, RTE_MAX_ETHPORTS));
        port->open_tunnel(request);
        return port;
    }
    take_driver_log();
    BorrowedInterface borrowed;  // held here while the driver starts, then by the port
    std::vector<std::string> notices;
    if (request.device.on_interface()) {
        auto taken = InterfaceClaim::take(request.device.text, request.device.target);
        if (!taken) return tl::unexpected(std::move(taken.error()));
        borrowed =
            BorrowedInterface(std::move(*taken), request.device.target, request.host.shares());
        const bool is_packet = request.device.traits().opener == Opener::packet;
        if (is_packet) {
            for (const std::string& line : packet::keep_machine_out(request.device.target)) {
                notices.push_back(request.name + ": " + line);
            }
        }
        std::ranges::copy(
            prepare_kernel_interface(request.device.target, request.host.shares(),
                                     is_packet ? OffloadsOff::merging : OffloadsOff::all),
            std::back_inserter(notices));
    }
    const tl::expected<uint16_t, Error> ethdev = attach(request);
    if (!ethdev) return tl::unexpected(ethdev.error());
    std::unique_ptr<Port> port(new Port(request, *ethdev));
    port->borrowed_ = std::move(borrowed);
    port->notices_ = std::move(notices);
    if (auto error = port->configure(request, pool)) return tl::unexpected(std::move(*error));
    take_driver_log();
    return port;
}

Port::Port(const PortRequest& request, uint16_t ethdev)
    : PortBursts(ethdev, senders_of(request), request.queues.by_nic, request.lanes),
      name_(request.name),
      device_(request.device) {}

// A tunnel carries pauses and LLDP like all other frames.
void Port::open_tunnel(const PortRequest& request) {
    tunnel_ = std::make_unique<TunnelEnd>(*request.tunnel);
    address_ = request.address.value_or(made_for(request));
}

std::optional<Error> Port::configure(const PortRequest& request, Pool& pool) {
    const DeviceTraits& traits = device_.traits();
    auto error = traits.opener == Opener::memif    ? start_memif(request, pool)
                 : traits.opener == Opener::packet ? start_packet(request, pool)
                                                   : start_queues(request, pool);
    if (error) return error;
    const bool has_interface = device_.on_interface() || traits.makes_interface();
    if (has_interface) {
        if (error = set_mtu(request); error) return error;
    }
    take_frames(request.promiscuous);
    choose_address(request);
    find_abilities(request);
    if (has_interface) interface_index_ = interface_state(device_.target).index;
    if (request.underlay) {
        UnderlayAddresses own = *request.underlay;
        own.mac = address_;
        underlay_ = std::make_unique<UnderlayEnd>(own);
    }
    return std::nullopt;
}

// A host that sends on the same interface must keep to the MTU of its peers.
std::optional<Error> Port::set_mtu(const PortRequest& request) {
    if (device_.traits().makes_interface() || request.host.shares()) {
        return set_interface_mtu(device_.target, request.mtu);
    }
    if (const auto far = far_end_of(device_.target)) {
        const auto notice = notice_of(*far, device_.target, request.mtu);
        if (notice) notices_.push_back(name_ + ": " + *notice);
        follow_far_end(*far);
    }
    return set_interface_mtu_and_tags(device_.target, request.mtu, notices_);
}

// Sets the longest frame for XDP sockets; other devices report a frame that the far end refuses.
void Port::follow_far_end(const FarEnd& far) {
    if (!device_.traits().by_xdp()) return;
    const uint32_t longest = std::min(far.longest_frame(), uint32_t{UINT16_MAX});
    longest_sent_.store(static_cast<uint16_t>(longest), std::memory_order_relaxed);
}

void Port::choose_address(const PortRequest& request) {
    if (request.address) {
        address_ = *request.address;
    } else if (packet_) {
        address_ = packet_->address();
    } else if (device_.traits().brings_address) {
        rte_ether_addr own{};
        rte_eth_macaddr_get(ethdev_, &own);
        address_ = read_address(own.addr_bytes);
    }
    if (address_.bits == 0) address_ = made_for(request);
}

// Call `take_frames` and `find_abilities` after the device was started: a start may discard earlier
// settings.
void Port::take_frames(bool promiscuous) {
    if (memif_) return;
    nic::Taking taking;
    if (!packet_) {
        taking = nic::take_frames(ethdev_, promiscuous);
    } else if (promiscuous && !packet_->is_promiscuous()) {
        taking.of_all = -EPERM;
    }
    if (device_.on_interface()) {  // drivers of kernel interfaces do not support all-multicast
        all_groups_ = nic::AllGroups(interface_state(device_.target).index);
        if (all_groups_.joined()) taking.of_groups = 0;
    }
    const std::string missing =
        nic::missing_from(taking, promiscuous, device_.traits().may_be_nic());
    if (!missing.empty()) notices_.push_back(name_ + ": " + missing);
}

void Port::find_abilities(const PortRequest& request) {
    if (memif_ || is_tap()) {
        const nic::DriverRow& row = nic::row_of(nic::ethdev_drivers(), memif_ ? "memif" : "tap");
        abilities_ = nic::abilities_of_ethdev(row, {}, {});
        if (by_queue_) nic::find_by_queue(row, abilities_);
        return;
    }
    if (!device_.on_interface()) {
        const bool on_pci = device_.traits().is_pci();
        auto found =
            nic::set_and_ask_ethdev(ethdev_, on_pci ? device_.target : std::string(), by_queue_);
        abilities_ = std::move(found.abilities);
        circumstances_ = std::move(found.circumstances);
        return;
    }
    const std::string& interface = device_.target;
    kernel_settings_ = {nic::ethtool_settings(interface), interface, request.asked};
    abilities_ =
        nic::abilities_of_interface(kernel_settings_.row(), kernel_settings_.now(), interface);
    circumstances_ =
        nic::circumstances_of_interface(packet_ ? packet_->address() : nic::address_of(ethdev_),
                                        kernel_settings_.row(), kernel_settings_.now());
    std::ranges::copy(kernel_settings_.notices(), std::back_inserter(notices_));
    if (kernel_settings_.row().pause_transmission == nic::PauseTransmission::by_priority) {
        std::string refusal;
        control_socket_ = nic::ControlSocket(interface_state(interface).index, refusal);
        if (!control_socket_.is_open()) {
            notices_.push_back(name_ + ": pause frames and LLDP are not sent by " + interface +
                               ", whose driver requires a socket of priority 7 for them (" +
                               refusal + ")");
        }
    }
    // The device's queues are open, and data uses the first of them. Pauses use the last queue that
    // the port's own worker receives from: no other thread uses the driver's structures for it.
    if (device_.traits().by_xdp() && kernel_settings_.row().has_pause_queue) {
        pause_queue_ = static_cast<uint16_t>(queues_ - 1 - (queues_ - 1) % lane_count_);
    }
}

Port::~Port() { close(); }

void Port::close() {
    if (std::exchange(closed_, true) || tunnel_ != nullptr) return;
    // The card may have been removed: its driver would wait for registers that read as all ones.
    if (device_.traits().is_pci() && vanished_.load(std::memory_order_relaxed)) {
        return Eal::leave_devices();
    }
    if (device_.traits().opener == Opener::memif) {
        vanished_.store(true, std::memory_order_relaxed);
        memif_.reset();
        return;
    }
    if (packet_) {
        vanished_.store(true, std::memory_order_relaxed);
        packet_.reset();
    } else {
        guest_.reset();
        close_ethdev();
    }
    if (device_.traits().is_ring()) {
        const auto [ring, end] = ring_name(device_);
        close_ring(ring, end);
    }
    xdp_.reset();  // closed after its driver, which would detach a program that no link holds
    kernel_settings_ = {};
    all_groups_ = {};
    control_socket_ = {};
    borrowed_ = {};
    take_driver_log();
}

void Port::close_ethdev() {
    if (started_) rte_eth_dev_stop(ethdev_);
    std::array<char, RTE_ETH_NAME_MAX_LEN> name{};
    rte_eth_dev_get_name_by_port(ethdev_, name.data());
    rte_eth_dev_close(ethdev_);
    if (!device_.traits().is_pci()) rte_vdev_uninit(name.data());
}

void Port::abandon() {
    borrowed_.leave();
    if (device_.traits().has_socket() && !device_.has("client")) ::unlink(device_.target.c_str());
}

bool Port::has_successor() const {
    if (!vanished_.load(std::memory_order_relaxed) || interface_index_ == 0) return false;
    const bool is_there = interface_state(device_.target).index != 0;
    return is_there != is_tap();  // a TAP is created again
}

Link Port::link() {
    Link link;
    if (tunnel_ != nullptr) return link;
    link.vanished = vanished_.load(std::memory_order_relaxed);
    if (link.vanished) return link;
    InterfaceState interface;
    if (is_tap()) {
        link.vanished = !packet_->tap()->exists();
    } else if (interface_index_ != 0) {
        interface = interface_state(device_.target);
        link.vanished = interface.index != interface_index_;
    }
    if (memif_) {
        link.up = memif_->connected();
        link.speed = memif_speed;
        return link;
    }
    const bool is_removed = !packet_ && rte_eth_dev_is_removed(ethdev_) == 1;
    if (link.vanished || is_removed || is_unplugged(device_)) {
        vanished_.store(true, std::memory_order_relaxed);
        link.vanished = true;
        return link;
    }
    if (is_tap()) {
        link.up = packet_->tap()->is_up();
        return link;
    }
    if (device_.on_interface()) {  // drivers of kernel interfaces always report link up
        link.up = interface.up;
        const bool has_far_end = longest_sent_.load(std::memory_order_relaxed) != 0;
        if (has_far_end && ++looks_ % looks_a_far_end == 0) {
            if (const auto far = far_end_of(device_.target)) follow_far_end(*far);
        }
        if (interface.speed.count() > 0) link.speed = interface.speed;
        return link;
    }
    rte_eth_link state{};
    if (rte_eth_link_get_nowait(ethdev_, &state) != 0) return link;
    link.up = state.link_status == RTE_ETH_LINK_UP;
    if (state.link_speed != RTE_ETH_SPEED_NUM_NONE &&
        state.link_speed != RTE_ETH_SPEED_NUM_UNKNOWN) {
        link.speed = BitsPerSecond(int64_t{state.link_speed} * 1'000'000);
    }
    return link;
}

std::optional<std::string> Port::take_note() { return memif_ ? memif_->take_note() : std::nullopt; }

std::optional<Error> Port::set_link(bool up) {
    if (tunnel_ != nullptr) return std::nullopt;
    if (device_.on_interface()) return set_interface_up(device_.target, up);
    if (memif_) return std::nullopt;
    if (is_tap()) {
        if (packet_->tap()->set_carrier(up)) return std::nullopt;
        return Error{device_.text, "its carrier cannot be changed", "set it down at the host"};
    }
    const int result = up ? rte_eth_dev_set_link_up(ethdev_) : rte_eth_dev_set_link_down(ethdev_);
    if (result == 0 || result == -ENOTSUP) return std::nullopt;
    return Error{device_.text, "its link cannot be changed" + failure(result),
                 "set it at the peer"};
}

void Port::follow_host() {
    if (xdp_ && !vanished_.load(std::memory_order_relaxed)) xdp_->follow_addresses();
}

std::size_t Port::take_addresses_left_out() { return xdp_ ? xdp_->take_left_out() : 0; }

}  // namespace sluice::pmd
