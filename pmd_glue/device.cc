#include "pmd_glue/device.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "pmd_glue/capture_file.h"
#include "pmd_glue/file_descriptor.h"
#include "pmd_glue/interface_claim.h"
#include "pmd_glue/kernel_interface.h"
#include "pmd_glue/xdp/attached.h"

namespace sluice::pmd {
namespace {

namespace fs = std::filesystem;

constexpr uint16_t most_queues = 16;

std::optional<unsigned> read_number(std::string_view text) {
    unsigned number = 0;
    const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (fault != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return number;
}

// --- is it there, and free ---------------------------------------------------------------------

std::optional<Error> check_af_packet(const Device& device) {
    if (auto error = check_interface_exists(device.text, device.target)) return error;
    return check_capability(device.text, Capability::net_raw);
}

std::optional<Error> check_af_xdp(const Device& device) {
    if (auto error = check_interface_exists(device.text, device.target)) return error;
    if (auto error = check_capability(device.text, Capability::net_admin)) return error;
    if (auto error = check_receive_queues(device.text, device.target, device.queues())) {
        return error;
    }
    const auto claim = InterfaceClaim::take(device.text, device.target);
    if (!claim) return claim.error();
    return xdp::check_nothing_attached(device.text, device.target);
}

// A server's socket that nobody listens on was left by a process that was killed.
bool is_stale_socket(const std::string& path, int type) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path, path.data(), std::min(path.size(), sizeof address.sun_path - 1));
    // Who listens and does not accept is not waited for.
    const FileDescriptor socket(::socket(AF_UNIX, type | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
    return socket.is_open() &&
           ::connect(socket.number(), reinterpret_cast<sockaddr*>(&address), sizeof address) != 0 &&
           errno == ECONNREFUSED;
}

// Of a unix socket that the device listens on, or as a client connects to.
std::optional<Error> check_socket(const Device& device, int type) {
    const fs::path path(device.target);
    std::error_code ignored;
    if (path.has_parent_path() && !fs::is_directory(path.parent_path(), ignored)) {
        return Error{device.text, "the folder of its socket does not exist",
                     "make it with `mkdir -p " + path.parent_path().string() + "`"};
    }
    if (device.has("client") || !fs::exists(path, ignored)) return std::nullopt;
    if (!fs::is_socket(path, ignored)) {
        return Error{device.text, device.target + " is there and is no socket",
                     "choose another path"};
    }
    if (is_stale_socket(device.target, type)) fs::remove(path, ignored);
    return std::nullopt;
}

std::optional<Error> check_memif(const Device& device) {
    return check_socket(device, SOCK_SEQPACKET);  // ports of this process share it
}

std::optional<Error> check_vhost(const Device& device) { return check_socket(device, SOCK_STREAM); }

std::optional<Error> check_tap(const Device& device) {
    if (auto error = check_capability(device.text, Capability::net_admin)) return error;
    if (!fs::exists("/dev/net/tun")) {
        return Error{device.text, "/dev/net/tun does not exist", "load it with `modprobe tun`"};
    }
    if (interface_state(device.target).index == 0) return std::nullopt;
    return Error{device.text, "an interface of that name exists",
                 "choose another name, or remove it with `ip link del " + device.target + "`"};
}

bool is_file_name(std::string_view name) {
    return name.ends_with(".pcap") || name.find('/') != name.npos;
}

std::optional<Error> check_pcap(const Device& device) {
    if (device.on_interface()) {
        if (auto error = check_interface_exists(device.text, device.target)) return error;
        return check_capability(device.text, Capability::net_raw);
    }
    if (!device.target.empty() && ::access(device.target.c_str(), R_OK) != 0) {
        return Error{device.text, device.target + " cannot be read: " + std::strerror(errno),
                     "name a capture in pcap format"};
    }
    // Another kind of file, such as a FIFO, would be waited for.
    std::error_code unknown;
    if (!device.target.empty() && !fs::is_regular_file(device.target, unknown)) {
        return Error{device.text, device.target + " is no file", "name a capture in pcap format"};
    }
    const fs::path folder = fs::path(device.arguments).parent_path();
    if (!device.arguments.empty() && !folder.empty() && ::access(folder.c_str(), W_OK) != 0) {
        return Error{device.text, folder.string() + " cannot be written: " + std::strerror(errno),
                     "name a file in a folder that can"};
    }
    return std::nullopt;
}

std::optional<Error> check_pci(const Device& device) {
    const fs::path entry = fs::path("/sys/bus/pci/devices") / device.target;
    std::error_code failed;
    if (!fs::exists(entry, failed)) {
        return Error{device.text, "there is no such PCI device",
                     "see what there is with `dpdk-devbind.py --status-dev net`"};
    }
    const std::string driver = fs::read_symlink(entry / "driver", failed).filename();
    // Mellanox drivers share their device with the kernel's.
    constexpr std::array<std::string_view, 5> usable = {"vfio-pci", "uio_pci_generic", "igb_uio",
                                                        "mlx4_core", "mlx5_core"};
    if (std::ranges::find(usable, driver) != usable.end()) return std::nullopt;
    return Error{
        device.text,
        driver.empty() ? "no driver holds it" : "the kernel's driver " + driver + " holds it",
        "hand it to DPDK with `dpdk-devbind.py --bind=vfio-pci " + device.target + "`"};
}

std::optional<Error> check_vdev(const Device& device) {
    if (!device.target.starts_with("net_memif")) return std::nullopt;
    return Error{device.text, "DPDK's memif driver trusts its peer, and may end the process",
                 "write memif:SOCKET"};
}

std::optional<Error> no_check(const Device&) { return std::nullopt; }

// --- device arguments of its driver -------------------------------------------------------------

std::string af_xdp_arguments(const Device& device) {
    return "iface=" + device.target + ",queue_count=" + std::to_string(device.queues()) +
           (device.has("copy") ? ",force_copy=1" : "");
}

std::string vhost_arguments(const Device& device) {
    return "iface=" + device.target + ",queues=" + std::to_string(device.queues()) +
           ",client=" + (device.has("client") ? "1" : "0") + ",tso=1";
}

std::string pcap_arguments(const Device& device) {
    if (device.on_interface()) {  // what is sent by it is not received as well
        return "rx_iface_in=" + device.target + ",tx_iface=" + device.target;
    }
    std::string text = device.target.empty() ? "" : "rx_pcap=" + device.target;
    if (device.arguments.empty()) return text;
    return text + (text.empty() ? "" : ",") + "tx_pcap=" + device.arguments;
}

std::string null_arguments(const Device&) { return "no-rx=1"; }

std::string own_arguments(const Device& device) { return device.arguments; }

// --- the table ---------------------------------------------------------------------------------

struct Row {
    DeviceKind kind;
    std::string_view prefix;
    std::string_view form;
    std::string_view driver;   // of DPDK; empty: opened another way
    std::string_view options;  // words that may follow, `=` after those with a value
    bool free_text;            // what follows the comma is taken as it is
    std::optional<Error> (*check)(const Device&);
    std::string (*arguments)(const Device&);
};

using enum DeviceKind;
constexpr std::array table = {
    Row{ring, "ring", "ring:NAME[/a|/b][,queues=N][,spread]", "", " queues= spread ", false,
        no_check, own_arguments},
    Row{af_packet, "af_packet", "af_packet:INTERFACE[,queues=N]", "", " queues= ", false,
        check_af_packet, own_arguments},
    Row{af_xdp, "af_xdp", "af_xdp:INTERFACE[,queues=N][,copy]", "net_af_xdp", " queues= copy ",
        false, check_af_xdp, af_xdp_arguments},
    Row{memif, "memif", "memif:SOCKET[,server|client][,id=N][,queues=N][,spread][,trusted]", "",
        " server client id= queues= spread trusted ", false, check_memif, own_arguments},
    Row{vhost, "vhost", "vhost:SOCKET[,client][,queues=N]", "net_vhost", " client queues= ", false,
        check_vhost, vhost_arguments},
    Row{tap, "tap", "tap:INTERFACE", "", "", false, check_tap, own_arguments},
    Row{pcap, "pcap", "pcap:FILE.pcap[,FILE_OUT.pcap] or pcap:INTERFACE", "net_pcap", "", true,
        check_pcap, pcap_arguments},
    Row{null, "null", "null:", "net_null", "", false, no_check, null_arguments},
    Row{pci, "pci", "pci:ADDRESS[,queues=N]", "", " queues= ", false, check_pci, own_arguments},
    Row{vxlan, "vxlan", "vxlan:UNDERLAY/REMOTE/VNI", "", "", false, no_check, own_arguments},
    Row{srv6, "srv6", "srv6:UNDERLAY/SID[,SID...]", "", "", true, no_check, own_arguments},
    Row{mpls, "mpls", "mpls:UNDERLAY/LABEL[,LABEL...]", "", "", true, no_check, own_arguments},
    Row{vdev, "vdev", "vdev:NAME[,ARGUMENTS]", "", "", true, check_vdev, own_arguments},
};

const Row& row_of(DeviceKind kind) { return table[static_cast<std::size_t>(kind)]; }

// No device string may have one: it would break error lines and drivers' device arguments.
bool is_control(char letter) {
    const auto octet = static_cast<unsigned char>(letter);
    return octet < 0x20 || octet == 0x7F;
}

bool in_order() {
    for (std::size_t i = 0; i < table.size(); ++i) {
        if (table[i].kind != static_cast<DeviceKind>(i)) return false;
    }
    return true;
}

std::string all_forms() {
    std::string text = "use one of ";
    for (const Row& row : table) {
        if (&row != table.data()) text += "; ";
        text += row.form;
    }
    return text;
}

std::optional<Error> read_options(Device& device, const Row& row) {
    for (std::string_view rest = device.arguments; !rest.empty();) {
        const std::size_t comma = rest.find(',');
        const std::string_view word = rest.substr(0, comma);
        rest = comma == rest.npos ? std::string_view() : rest.substr(comma + 1);
        const std::size_t equals = word.find('=');
        const std::string name(word.substr(0, equals));
        const bool has_value = equals != word.npos;
        const std::string value(has_value ? word.substr(equals + 1) : "");
        const std::string known = " " + name + (has_value ? "= " : " ");
        if (name.empty() || row.options.find(known) == row.options.npos) {
            return Error{device.text, "it has no option `" + std::string(word) + "`",
                         "write " + std::string(row.form)};
        }
        if (has_value && !read_number(value)) {
            return Error{device.text, "`" + value + "` is no number",
                         "write " + std::string(row.form)};
        }
        device.options[name] = value;
    }
    return std::nullopt;
}

std::optional<Error> check_words(const Device& device, const Row& row) {
    const auto wrong = [&](std::string what) {
        return Error{device.text, std::move(what), "write " + std::string(row.form)};
    };
    if (device.queues() == 0 || device.queues() > most_queues) {
        return wrong("queues are 1 to " + std::to_string(most_queues));
    }
    const std::size_t slash = device.target.find('/');
    switch (device.kind) {
        case null:
            return device.target.empty() ? std::nullopt : std::optional(wrong("it takes no name"));
        case pcap:
            if (device.target.empty() && device.arguments.empty()) return wrong("it names no file");
            return std::nullopt;
        case ring:
            if (slash == 0 || device.target.empty()) return wrong("it has no name");
            if (slash != device.target.npos && device.target.substr(slash) != "/a" &&
                device.target.substr(slash) != "/b") {
                return wrong("an end of a ring is a or b");
            }
            return std::nullopt;
        case memif:
        case vhost:
            if (device.target.size() >= sizeof(sockaddr_un::sun_path)) {
                return wrong("the path of its socket is longer than 107 characters");
            }
            if (device.has("server") && device.has("client")) {
                return wrong("it is server or client, not both");
            }
            break;
        case af_xdp:
        case af_packet:
        case tap:
            if (device.target.size() > 15) return wrong("an interface's name has 15 characters");
            break;
        case pci:
        case vxlan:  // what they name is the configuration's
        case srv6:
        case mpls:
        case vdev:
            break;
    }
    return device.target.empty() ? std::optional(wrong("it names nothing")) : std::nullopt;
}

}  // namespace

bool Device::on_interface() const {
    return kind == af_packet || kind == af_xdp ||
           (kind == pcap && !target.empty() && !is_file_name(target));
}

bool Device::brings_address() const {
    return kind == af_packet || kind == af_xdp || kind == pci || kind == vdev;
}

unsigned Device::id() const {
    const auto found = options.find("id");
    return found == options.end() ? 0 : read_number(found->second).value_or(0);
}

uint16_t Device::queues() const {
    const auto found = options.find("queues");
    if (found == options.end()) return 1;
    return static_cast<uint16_t>(std::min(read_number(found->second).value_or(0), 65535U));
}

tl::expected<Device, Error> parse_device(std::string_view text) {
    static_assert(table.size() == static_cast<std::size_t>(vdev) + 1);
    if (std::ranges::any_of(text, is_control)) {
        std::string shown(text);
        std::ranges::replace_if(shown, is_control, '?');
        return tl::unexpected(Error{shown, "it has a control character", "write it on one line"});
    }
    static const bool ordered = in_order();
    const std::size_t colon = text.find(':');
    const auto* const row = std::ranges::find(table, text.substr(0, colon), &Row::prefix);
    if (!ordered || colon == text.npos || row == table.end()) {
        return tl::unexpected(Error{std::string(text), "it is no device", all_forms()});
    }
    Device device;
    device.kind = row->kind;
    device.text = text;
    const std::string_view rest = text.substr(colon + 1);
    const std::size_t comma = rest.find(',');
    device.target = rest.substr(0, comma);
    device.arguments = comma == rest.npos ? std::string_view() : rest.substr(comma + 1);
    if (!row->free_text) {
        if (auto error = read_options(device, *row)) return tl::unexpected(std::move(*error));
    }
    if (auto error = check_words(device, *row)) return tl::unexpected(std::move(*error));
    // DPDK and sysfs know a device by its full address.
    if (device.kind == pci && std::ranges::count(device.target, ':') == 1) {
        device.target = "0000:" + device.target;
    }
    return device;
}

std::optional<Error> check_device(const Device& device) {
    return row_of(device.kind).check(device);
}

std::optional<Error> check_capture(const Device& device) {
    if (device.kind != pcap || device.target.empty() || device.on_interface()) return std::nullopt;
    std::error_code unknown;
    if (!fs::is_regular_file(device.target, unknown)) return std::nullopt;  // check_device says so
    std::ifstream capture(device.target, std::ios::binary);
    const auto other = other_than_ethernet(capture);
    if (!other) return std::nullopt;
    return Error{device.text, device.target + " has frames of " + *other + ", not ETHERNET",
                 "name a capture of an Ethernet interface; of several interfaces keep that one, "
                 "as with `tshark -r FILE -Y frame.interface_id==0 -w NEW.pcap`"};
}

BufferLayout layout_for(std::span<const Device> devices) {
    const auto any = [&](DeviceKind kind) {
        return std::ranges::find(devices, kind, &Device::kind) != devices.end();
    };
    if (any(af_xdp)) return BufferLayout::page;
    return any(pci) || any(vdev) ? BufferLayout::hardware : BufferLayout::packed;
}

DriverArguments driver_arguments(const Device& device) {
    const Row& row = row_of(device.kind);
    return {std::string(row.driver), row.arguments(device)};
}

}  // namespace sluice::pmd
