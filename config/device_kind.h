// Device kinds: the kinds of device that a port can use, one row a kind. The traits of a row are
// all differences between kinds: only the openers of pmd_glue check the kind itself.
//
// To add one:
//   1. here: the enumerator and its row;
//   2. pmd_glue/device.cc: the checks before the device is opened, and the arguments of its driver;
//   3. config/README.md: its device string in the row of `device`; the top README.md: its row in
//      the table of devices;
//   4. pmd_glue/nic/driver_table.cc and config/nics.md: its driver's row, the same in both
//      (driver_table_test.cc compares them): without it the capabilities of the port are unknown;
//   5. tools/debian/control: the package of DPDK's driver (librte-net-...), if it is missing there.
// A virtual device of DPDK needs no more. A device that is opened in another way also needs an
// Opener, and a case in Port::attach and Port::configure; a tunnel needs a row in
// config/port/tunnel_kinds.cc. If 1, 2 or a tunnel's part is missing, the code does not compile.
//
// Not done here: parsing the part of a device string after the scheme (pmd_glue/device.h).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace sluice {

enum class DeviceKind : uint8_t {
    ring,
    af_packet,
    af_xdp,
    memif,
    vhost,
    tap,
    pcap,
    null,
    pci,
    vxlan,
    srv6,
    mpls,
    vdev
};

// The code that opens the device.
enum class Opener : uint8_t {
    vdev,    // DPDK, as a virtual device of its driver
    pci,     // DPDK, as a PCI device
    ring,    // pmd_glue/ring_pair.h
    memif,   // pmd_glue/memif/
    packet,  // pmd_glue/packet/
    tunnel   // the port below (pmd_glue/tunnels.h)
};

// The part of the device string between the colon and the first comma.
enum class Target : uint8_t {
    nothing,
    ring,               // name of a ring, with or without /a or /b
    interface,          // an interface of the kernel that exists already
    new_interface,      // an interface of the kernel that the port creates
    file_or_interface,  // a file if the text ends in .pcap or has a slash, else an interface
    socket,             // a path of at most 107 octets
    other               // a PCI address, a driver's name or a tunnel's path
};

// The frame buffers that a device needs: any, one of a page each, or memory that hardware can
// reach.
enum class BufferNeed : uint8_t { none, page, hardware };

// Capabilities of a Linux process (capabilities(7)), as bits.
enum class Capabilities : uint8_t { none = 0, net_admin = 1, net_raw = 2, ipc_lock = 4 };
constexpr Capabilities operator|(Capabilities left, Capabilities right) {
    return static_cast<Capabilities>(static_cast<uint8_t>(left) | static_cast<uint8_t>(right));
}
constexpr bool contains(Capabilities set, Capabilities one) {
    return (static_cast<uint8_t>(set) & static_cast<uint8_t>(one)) != 0;
}

struct DeviceTraits {
    DeviceKind kind;
    std::string_view scheme;
    std::string_view form;  // the device string as a user writes it
    // Name of DPDK's driver; empty: not opened by DPDK, or named in the string.
    std::string_view driver = {};
    // Options that may follow a comma, with `=` if they have a number.
    std::string_view options = {};
    bool free_text = false;  // the text after the comma is not parsed
    Opener opener = Opener::vdev;
    Target target = Target::other;
    BufferNeed buffers = BufferNeed::none;
    // The device has a MAC address of its own. Drivers of other kinds draw a new address at each
    // start, or use the same one everywhere.
    bool brings_address = false;
    // The receive ring and the transmit ring have one common size.
    bool common_ring = false;
    // The device needs as many transmit queues as receive queues, even if the switch does not use
    // them.
    bool paired_queues = false;
    // The peer or the kernel keeps frames that the switch does not receive, so that `pfc.by: ring`
    // works.
    bool pauses_by_ring = false;
    // The kernel drops frames when its ring is full, before the switch can pause the peer.
    bool loses_before = false;
    // A virtual machine is at the other end.
    bool has_guest = false;
    // The device can be opened while the switch runs.
    bool hot_plug = false;
    // Capabilities that control's thread keeps once all ports are open, to close the device.
    Capabilities to_close = Capabilities::none;
    // Capabilities that control's thread keeps as well if `hotplug.devices` has the kind: to open
    // another such device, and to set its interface up and down.
    Capabilities to_open = Capabilities::none;

    [[nodiscard]] constexpr bool is_tunnel() const { return opener == Opener::tunnel; }
    [[nodiscard]] constexpr bool is_pci() const { return opener == Opener::pci; }
    [[nodiscard]] constexpr bool is_ring() const { return opener == Opener::ring; }
    // The device counts against DPDK's limit on the number of its ports (pmd_glue/port.h).
    [[nodiscard]] constexpr bool is_of_dpdk() const {
        return opener == Opener::vdev || opener == Opener::pci || opener == Opener::ring;
    }
    // Received frames are copied into buffers of the switch, sent frames out of such buffers.
    [[nodiscard]] constexpr bool copies() const {
        return opener == Opener::memif || opener == Opener::packet;
    }
    // An XDP program redirects frames to the device; DPDK's driver has a fill ring and a receive
    // ring.
    [[nodiscard]] constexpr bool by_xdp() const { return buffers == BufferNeed::page; }
    // The device may be a NIC, with hardware queues and pauses of its own.
    [[nodiscard]] constexpr bool may_be_nic() const { return buffers == BufferNeed::hardware; }
    [[nodiscard]] constexpr bool has_socket() const { return target == Target::socket; }
    // The port creates the interface.
    [[nodiscard]] constexpr bool makes_interface() const { return target == Target::new_interface; }
    // The device is always an interface of the kernel, which has queues in both directions.
    [[nodiscard]] constexpr bool is_kernel_interface() const {
        return target == Target::interface || target == Target::new_interface;
    }
};

inline constexpr std::array device_kinds = std::to_array<DeviceTraits>({
    {.kind = DeviceKind::ring,
     .scheme = "ring",
     .form = "ring:NAME[/a|/b][,queues=N][,spread]",
     .options = " queues= spread ",
     .opener = Opener::ring,
     .target = Target::ring,
     .common_ring = true,
     .paired_queues = true,
     .pauses_by_ring = true,
     .hot_plug = true},
    {.kind = DeviceKind::af_packet,
     .scheme = "af_packet",
     .form = "af_packet:INTERFACE[,queues=N]",
     .options = " queues= ",
     .opener = Opener::packet,
     .target = Target::interface,
     .brings_address = true,
     .pauses_by_ring = true,
     .loses_before = true,
     .hot_plug = true,
     .to_open = Capabilities::net_admin | Capabilities::net_raw},
    {.kind = DeviceKind::af_xdp,
     .scheme = "af_xdp",
     .form = "af_xdp:INTERFACE[,queues=N][,copy]",
     .driver = "net_af_xdp",
     .options = " queues= copy ",
     .target = Target::interface,
     .buffers = BufferNeed::page,
     .brings_address = true,
     .paired_queues = true},
    {.kind = DeviceKind::memif,
     .scheme = "memif",
     .form = "memif:SOCKET[,server|client][,id=N][,queues=N][,spread][,trusted]",
     .options = " server client id= queues= spread trusted ",
     .opener = Opener::memif,
     .target = Target::socket,
     .common_ring = true,
     .pauses_by_ring = true,
     .hot_plug = true},
    {.kind = DeviceKind::vhost,
     .scheme = "vhost",
     .form = "vhost:SOCKET[,client][,queues=N]",
     .driver = "net_vhost",
     .options = " client queues= ",
     .target = Target::socket,
     .pauses_by_ring = true,
     .has_guest = true,
     .hot_plug = true},
    {.kind = DeviceKind::tap,
     .scheme = "tap",
     .form = "tap:INTERFACE",
     .opener = Opener::packet,
     .target = Target::new_interface,
     .pauses_by_ring = true,
     .loses_before = true,
     .hot_plug = true,
     .to_open = Capabilities::net_admin},
    {.kind = DeviceKind::pcap,
     .scheme = "pcap",
     .form = "pcap:FILE.pcap[,FILE_OUT.pcap] or pcap:INTERFACE",
     .driver = "net_pcap",
     .free_text = true,
     .target = Target::file_or_interface,
     .hot_plug = true},
    {.kind = DeviceKind::null,
     .scheme = "null",
     .form = "null:",
     .driver = "net_null",
     .target = Target::nothing,
     .hot_plug = true},
    {.kind = DeviceKind::pci,
     .scheme = "pci",
     .form = "pci:ADDRESS[,queues=N]",
     .options = " queues= ",
     .opener = Opener::pci,
     .buffers = BufferNeed::hardware,
     .brings_address = true,
     // Capabilities for NICs that share the kernel's driver (mlx5), and for memory that a NIC
     // reads.
     .to_close = Capabilities::net_admin | Capabilities::net_raw | Capabilities::ipc_lock},
    {.kind = DeviceKind::vxlan,
     .scheme = "vxlan",
     .form = "vxlan:UNDERLAY/REMOTE/VNI or vxlan:UNDERLAY/VNI or vxlan:UNDERLAY",
     .opener = Opener::tunnel},
    {.kind = DeviceKind::srv6,
     .scheme = "srv6",
     .form = "srv6:UNDERLAY/SID[,SID...]",
     .free_text = true,
     .opener = Opener::tunnel},
    {.kind = DeviceKind::mpls,
     .scheme = "mpls",
     .form = "mpls:UNDERLAY/LABEL[,LABEL...]",
     .free_text = true,
     .opener = Opener::tunnel},
    {.kind = DeviceKind::vdev,
     .scheme = "vdev",
     .form = "vdev:NAME[,ARGUMENTS]",
     .free_text = true,
     .buffers = BufferNeed::hardware,
     .brings_address = true,
     // Any device may be a `vdev:`, so all capabilities are kept.
     .to_close = Capabilities::net_admin | Capabilities::net_raw | Capabilities::ipc_lock},
});

constexpr const DeviceTraits& traits_of(DeviceKind kind) {
    return device_kinds[static_cast<std::size_t>(kind)];
}
// Returns null if there is no such kind.
constexpr const DeviceTraits* traits_of(std::string_view scheme) {
    for (const DeviceTraits& row : device_kinds) {
        if (row.scheme == scheme) return &row;
    }
    return nullptr;
}

static_assert(
    [] {
        for (std::size_t i = 0; i < device_kinds.size(); ++i) {
            if (device_kinds[i].kind != static_cast<DeviceKind>(i)) return false;
        }
        return device_kinds.size() == static_cast<std::size_t>(DeviceKind::vdev) + 1;
    }(),
    "the rows stand in the order of DeviceKind, whose last is vdev");

// Returns the schemes of the kinds for which `chosen` returns true, in the order of the table.
template <auto chosen>
constexpr auto schemes_where() {
    constexpr std::size_t count = [] {
        std::size_t number = 0;
        for (const DeviceTraits& row : device_kinds) number += chosen(row) ? 1U : 0U;
        return number;
    }();
    std::array<std::string_view, count> schemes{};
    std::size_t next = 0;
    for (const DeviceTraits& row : device_kinds) {
        if (chosen(row)) schemes[next++] = row.scheme;
    }
    return schemes;
}

}  // namespace sluice
