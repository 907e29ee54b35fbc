// Device: parses the device string of a port.
//
//   ring:NAME  ring:NAME/a  ring:NAME/b  [,queues=N][,spread]
//                                              rings in this process (ring_pair.h)
//   af_packet:INTERFACE[,queues=N]             a kernel interface, by packet sockets (packet/)
//   af_xdp:INTERFACE[,queues=N][,copy]         a kernel interface, by XDP sockets
//   memif:SOCKET[,server|client][,id=N][,queues=N][,spread][,trusted]
//                                              shared memory with another process (memif/); server
//                                              by default. Frames are copied in and out. A client
//                                              with zero-copy is accepted only if it is `trusted`,
//                                              since it could end this process by taking its
//                                              memory back
//   vhost:SOCKET[,client][,queues=N]           a virtual machine's virtio device (vhost-user); its
//                                              hypervisor connects, or with `client` listens
//   tap:INTERFACE                              makes that kernel interface (packet/tap.h)
//   pcap:FILE.pcap[,FILE_OUT.pcap]  pcap:INTERFACE
//   null:                                      discards frames that are sent, receives none
//   pci:ADDRESS[,queues=N]                     a NIC that DPDK drives itself
//   vxlan:UNDERLAY/REMOTE/VNI                  a tunnel over another port of the switch (tunnels.h)
//   vxlan:UNDERLAY/VNI  vxlan:UNDERLAY         a tunnel to many ends, in one VNI or in several
//   srv6:UNDERLAY/SID[,SID...]                 a tunnel over another port, by segments of IPv6
//   mpls:UNDERLAY/LABEL[,LABEL...]             a tunnel over another port, with MPLS labels
//   vdev:NAME[,ARGUMENTS]                      any other virtual device, with DPDK's own arguments
//
// With several queues, received frames are spread over them. A NIC, and af_packet
// (packet/fanout.h), spread by addresses; the kernel spreads as it is configured. A ring or a memif
// spreads the frames that it sends if it has `spread` (spread.h); otherwise it sends all by its
// first queue.
//
// The differences between kinds are rows in config/device_kind.h, which says how to add one.
// Parsing reads only the string. check_device inspects the machine, before DPDK does, and names the
// command that fixes a problem; DPDK's messages would not help.
//
// af_packet and TAP are not lossless: the kernel silently drops frames when a host's queue is full.
// The other devices refuse frames that they cannot take.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "config/device_kind.h"
#include "dataplane/types/units.h"
#include "pmd_glue/error.h"
#include "pmd_glue/pool.h"

namespace sluice::pmd {

struct Device {
    DeviceKind kind = DeviceKind::null;
    std::string text;                            // the device string, as configured
    std::string target;                          // interface, socket, file, address, ring or name
    std::string arguments;                       // text after the first comma
    std::map<std::string, std::string> options;  // `arguments` by name; empty for vdev

    [[nodiscard]] const DeviceTraits& traits() const { return traits_of(kind); }
    [[nodiscard]] bool has(const std::string& option) const { return options.contains(option); }
    // Whether the device uses a kernel interface that existed before the device was opened.
    [[nodiscard]] bool on_interface() const;
    // Returns the number of queues; 1 if the device string has none.
    [[nodiscard]] uint16_t queues() const;
    // Returns the id in the device string; 0 without one.
    [[nodiscard]] unsigned id() const;
    // Whether the device spreads frames over all of its queues.
    [[nodiscard]] bool spreads() const { return has("spread") && queues() > 1; }
};

tl::expected<Device, Error> parse_device(std::string_view text);

// Returns why the device cannot be opened now; nothing if it can.
std::optional<Error> check_device(const Device& device);
// Returns why the capture that the device plays is unusable; nothing if it is usable, or if there
// is none. Reads the file to its end.
std::optional<Error> check_capture(const Device& device);

// Returns the layout of the buffers of one pool that all of these devices can use.
BufferLayout layout_for(std::span<const Device> devices);

// Driver and its arguments, in DPDK's words, for a device that Opener::vdev opens.
struct DriverArguments {
    std::string driver;
    std::string arguments;
};
DriverArguments driver_arguments(const Device& device);

}  // namespace sluice::pmd
