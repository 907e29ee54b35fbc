// Port: one device of the switch, with a link: a DPDK device, a memif (memif/), packet sockets or a
// TAP (packet/). This is the interface for control: opening, querying and closing. Workers use
// another type, `bursts` (port_bursts.h).
//
// Tunnels have no device: the worker that polls the underlay sends and receives their frames
// (tunnels.h); a Port holds their name, address and end.
// `link` detects a deleted interface or a removed card. The port then receives nothing, accepts
// nothing and stays down, and the other ports continue.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <utility>
#include <vector>

#include "config/device_buffers.h"
#include "dataplane/types/address.h"
#include "dataplane/types/units.h"
#include "pmd_glue/borrowed_interface.h"
#include "pmd_glue/device.h"
#include "pmd_glue/error.h"
#include "pmd_glue/far_end.h"
#include "pmd_glue/nic/abilities.h"
#include "pmd_glue/nic/all_groups.h"
#include "pmd_glue/nic/circumstances.h"
#include "pmd_glue/nic/kernel_settings.h"
#include "pmd_glue/nic/lossless_queues.h"
#include "pmd_glue/nic/pause_counters.h"
#include "pmd_glue/packet/interface.h"
#include "pmd_glue/pool.h"
#include "pmd_glue/port_bursts.h"
#include "pmd_glue/tunnel_ends.h"
#include "pmd_glue/xdp/program.h"

struct rte_eth_conf;

namespace sluice::pmd {

struct PortRequest {
    std::string name;
    Device device;
    uint16_t mtu = 1500;  // octets of payload; a frame has 22 more, for two tags
    bool promiscuous = true;
    // MAC address; empty: the device's address, or a generated one (own_address.h).
    std::optional<MacAddress> address;
    uint64_t identity = 0;                 // the machine's identity, for a generated address
    unsigned rx_descriptors = usual_ring;  // a power of two, 128 to 8192; 2048 or more for af_xdp
    unsigned tx_descriptors = usual_ring;
    std::size_t kept = 0;  // frames that the port's link-level retry may hold in pool buffers
    uint16_t lanes = 1;    // at most the device's number of queues
    nic::AskedOfNic asked;
    nic::QueuesAsked queues;
    bool has_checked_capture = false;     // check_capture, which reads the whole file, was called
    xdp::HostShare host;                  // only for an af_xdp interface
    std::optional<TunnelRequest> tunnel;  // only for a tunnel
    std::optional<UnderlayAddresses> underlay;  // addresses for tunnels over the port
};

constexpr Bytes frame_for_mtu(uint16_t mtu) { return Bytes(mtu + 14 + 2 * 4); }

// Returns why the lanes of the port do not fit its device; nothing if they do.
std::optional<Error> check_lanes(const PortRequest& request);

// Returns why the port cannot have a queue for each priority; nothing if it can or need not.
std::optional<Error> check_queues(const PortRequest& request);

// Returns the number of ports that DPDK opens in one process, counting every port whose device is
// DPDK's (`is_of_dpdk`): a constant of DPDK's build, 32 in Debian.
std::size_t most_ports();

// Returns the number of buffers that the port's device and its retry may hold.
std::size_t buffers_for(const PortRequest& request);

struct Link {
    bool up = false;
    bool vanished = false;
    BitsPerSecond speed{10'000'000'000};

    friend bool operator==(const Link&, const Link&) = default;
};

// Counters of the device for frames that the switch did not see, since the port was opened.
struct DeviceStats {
    uint64_t missed = 0;  // dropped because they were not received in time
    uint64_t receive_errors = 0;
    uint64_t transmit_errors = 0;
    uint64_t no_buffer = 0;  // dropped because the pool was empty
    packet::OffloadCounts offloads;
};

class Port : private PortBursts {
  public:
    static tl::expected<std::unique_ptr<Port>, Error> open(const PortRequest& request, Pool& pool);
    ~Port();  // calls close()
    Port(const Port&) = delete;
    Port& operator=(const Port&) = delete;

    // Returns the interface for the port's workers; valid as long as the port exists.
    [[nodiscard]] PortBursts& bursts() { return *this; }
    using PortBursts::tunnel_end;
    using PortBursts::underlay_end;

    // Returns the link of the device; a tunnel has the link of its underlay.
    [[nodiscard]] Link link();
    // For a device that vanished: whether a new interface of its name exists, or, for a TAP,
    // whether it can be created again.
    [[nodiscard]] bool has_successor() const;
    // Returns why the last connection of a memif ended or failed; nothing if that was returned
    // before.
    std::optional<std::string> take_note();
    // Makes the device take its link to the peer down or up, if it can. Returns the kernel's error,
    // or nothing.
    std::optional<Error> set_link(bool up);
    [[nodiscard]] DeviceStats stats();
    // Returns the PFC counters of a device that does PFC by itself; nothing if it has none.
    [[nodiscard]] std::optional<nic::PauseCountsOfPort> device_pauses() const;
    // Returns the counters of the program and the sockets of an af_xdp port.
    [[nodiscard]] std::optional<xdp::Report> xdp_report() const;
    // Reads the host's addresses again if the host shares the interface.
    void follow_host();
    // If the number of host addresses beyond the limit has grown since the last call: returns the
    // number. Otherwise returns 0.
    std::size_t take_addresses_left_out();
    [[nodiscard]] const std::string& name() const { return name_; }
    void rename(std::string name) { name_ = std::move(name); }
    [[nodiscard]] const Device& device() const { return device_; }
    [[nodiscard]] MacAddress address() const { return address_; }
    // Returns the length of each transmit queue, in frames.
    [[nodiscard]] unsigned tx_descriptors() const { return tx_descriptors_; }
    // Whether pauses have a queue of their own, so that they do not wait for data.
    [[nodiscard]] bool has_pause_queue() const { return pause_queue_ != 0; }
    [[nodiscard]] const nic::FoundAbilities& abilities() const { return abilities_; }
    // Returns the circumstances of the NIC for which `abilities` were found.
    [[nodiscard]] const nic::Circumstances& circumstances() const { return circumstances_; }
    // Whether settings of a kernel interface are restored when the port is closed.
    [[nodiscard]] bool gives_back() const { return device_.on_interface(); }
    // Notices about settings that failed, one a line.
    [[nodiscard]] const std::vector<std::string>& notices() const { return notices_; }
    // Closes the device. A driver may hang in this call, so a removed card is not closed, and keeps
    // its buffers. Call no other function of the port afterwards.
    void close();
    // Called by a program that ends without `close`, for example because another thread hangs in
    // `close`. Removes files that would outlive the process.
    void abandon();

  private:
    Port(const PortRequest& request, uint16_t ethdev);
    void open_tunnel(const PortRequest& request);
    std::optional<Error> configure(const PortRequest& request, Pool& pool);
    std::optional<Error> start_memif(const PortRequest& request, Pool& pool);
    std::optional<Error> start_packet(const PortRequest& request, Pool& pool);
    std::optional<Error> start_queues(const PortRequest& request, Pool& pool);
    int configure_queues(const rte_eth_conf& conf, uint16_t senders, bool one_more);
    int set_up_queues(const PortRequest& request, Pool& pool, uint16_t senders,
                      const nic::DriverRow& row);
    [[nodiscard]] std::optional<Error> no_queues(const std::string& why) const;
    void close_ethdev();
    [[nodiscard]] bool is_tap() const { return packet_ && packet_->tap() != nullptr; }
    void choose_address(const PortRequest& request);
    void take_frames(bool promiscuous);
    void find_abilities(const PortRequest& request);
    std::optional<Error> set_mtu(const PortRequest& request);
    void follow_far_end(const FarEnd& far);
    void add_xdp_stats(DeviceStats& stats) const;

    std::string name_;
    const Device device_;
    nic::PauseCounters pause_counters_;
    unsigned tx_descriptors_ = 0;
    unsigned looks_ = 0;  // calls of `link` for XDP sockets on a veth
    bool started_ = false;
    bool closed_ = false;
    nic::FoundAbilities abilities_;
    nic::Circumstances circumstances_;
    nic::KernelSettings kernel_settings_;
    nic::AllGroups all_groups_;
    MacAddress address_;
    BorrowedInterface borrowed_;
    unsigned interface_index_ = 0;  // index of the kernel interface; 0 if the device uses none
    std::vector<std::string> notices_;
};

}  // namespace sluice::pmd
