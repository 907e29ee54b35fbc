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

// --- whether the device exists, and is free ----------------------------------------------------

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

// Whether no process listens on the socket: a killed server left the socket behind.
bool is_stale_socket(const std::string& path, int type) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path, path.data(), std::min(path.size(), sizeof address.sun_path - 1));
    // A blocking connect would wait for a listener that does not accept.
    const FileDescriptor socket(::socket(AF_UNIX, type | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
    return socket.is_open() &&
           ::connect(socket.number(), reinterpret_cast<sockaddr*>(&address), sizeof address) != 0 &&
           errno == ECONNREFUSED;
}

// Checks a unix socket that the device listens on, or connects to as a client.
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
    return check_socket(device, SOCK_SEQPACKET);  // ports of this process share the socket
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
    // Opening another kind of file, such as a FIFO, would block.
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
        return Error{device.text, "no such PCI device exists",
                     "list devices with `dpdk-devbind.py --status-dev net`"};
    }
    const std::string driver = fs::read_symlink(entry / "driver", failed).filename();
    // DPDK's drivers for Mellanox NICs need the kernel's driver, so the kernel's driver may stay
    // bound.
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
    return Error{device.text, "DPDK's memif driver trusts its peer, which can crash the process",
                 "write memif:SOCKET"};
}

std::optional<Error> no_check(const Device&) { return std::nullopt; }

// --- arguments of a device for its driver ------------------------------------------------------

std::string af_xdp_arguments(const Device& device) {
    return "iface=" + device.target + ",queue_count=" + std::to_string(device.queues()) +
           (device.has("copy") ? ",force_copy=1" : "");
}

std::string vhost_arguments(const Device& device) {
    return "iface=" + device.target + ",queues=" + std::to_string(device.queues()) +
           ",client=" + (device.has("client") ? "1" : "0") + ",tso=1";
}

std::string pcap_arguments(const Device& device) {
    if (device.on_interface()) {  // `rx_iface_in` does not receive frames that this port sent
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
    std::optional<Error> (*check)(const Device&) = no_check;
    std::string (*arguments)(const Device&) = own_arguments;
};

using enum DeviceKind;
constexpr std::array table = {
    Row{ring},
    Row{af_packet, check_af_packet},
    Row{af_xdp, check_af_xdp, af_xdp_arguments},
    Row{memif, check_memif},
    Row{vhost, check_vhost, vhost_arguments},
    Row{tap, check_tap},
    Row{pcap, check_pcap, pcap_arguments},
    Row{null, no_check, null_arguments},
    Row{pci, check_pci},
    Row{vxlan},
    Row{srv6},
    Row{mpls},
    Row{vdev, check_vdev},
};
static_assert(std::ranges::equal(table, device_kinds, {}, &Row::kind, &DeviceTraits::kind),
              "each kind of config/device_kind.h has a row here, in its order");

const Row& row_of(DeviceKind kind) { return table[static_cast<std::size_t>(kind)]; }

// A control character in a device string would break error lines and device arguments of drivers.
bool is_control(char letter) {
    const auto octet = static_cast<unsigned char>(letter);
    return octet < 0x20 || octet == 0x7F;
}

std::string all_forms() {
    std::string text = "use one of ";
    for (const DeviceTraits& row : device_kinds) {
        if (&row != device_kinds.data()) text += "; ";
        text += row.form;
    }
    return text;
}

std::optional<Error> read_options(Device& device) {
    const DeviceTraits& row = device.traits();
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

std::optional<Error> check_words(const Device& device) {
    const DeviceTraits& row = device.traits();
    const auto wrong = [&](std::string what) {
        return Error{device.text, std::move(what), "write " + std::string(row.form)};
    };
    if (device.queues() == 0 || device.queues() > most_queues) {
        return wrong("queues are 1 to " + std::to_string(most_queues));
    }
    const std::size_t slash = device.target.find('/');
    switch (row.target) {
        case Target::nothing:
            return device.target.empty() ? std::nullopt : std::optional(wrong("it takes no name"));
        case Target::file_or_interface:
            if (device.target.empty() && device.arguments.empty()) return wrong("it names no file");
            return std::nullopt;
        case Target::ring:
            if (slash == 0 || device.target.empty()) return wrong("it has no name");
            if (slash != device.target.npos && device.target.substr(slash) != "/a" &&
                device.target.substr(slash) != "/b") {
                return wrong("an end of a ring is a or b");
            }
            return std::nullopt;
        case Target::socket:
            if (device.target.size() >= sizeof(sockaddr_un::sun_path)) {
                return wrong("the path of its socket is longer than 107 characters");
            }
            if (device.has("server") && device.has("client")) {
                return wrong("it is server or client, not both");
            }
            break;
        case Target::interface:
        case Target::new_interface:
            if (device.target.size() > 15) return wrong("an interface's name has 15 characters");
            break;
        case Target::other:  // config/ checks the underlay and the other parts of a tunnel
            break;
    }
    return device.target.empty() ? std::optional(wrong("nothing follows the colon")) : std::nullopt;
}

}  // namespace

bool Device::on_interface() const {
    const Target named = traits().target;
    return named == Target::interface ||
           (named == Target::file_or_interface && !target.empty() && !is_file_name(target));
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
    if (std::ranges::any_of(text, is_control)) {
        std::string shown(text);
        std::ranges::replace_if(shown, is_control, '?');
        return tl::unexpected(Error{shown, "it has a control character", "write it on one line"});
    }
    const std::size_t colon = text.find(':');
    const DeviceTraits* const row = traits_of(text.substr(0, colon));
    if (colon == text.npos || row == nullptr) {
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
        if (auto error = read_options(device)) return tl::unexpected(std::move(*error));
    }
    if (auto error = check_words(device)) return tl::unexpected(std::move(*error));
    // DPDK and sysfs need the full address, with its domain.
    if (row->is_pci() && std::ranges::count(device.target, ':') == 1) {
        device.target = "0000:" + device.target;
    }
    return device;
}

std::optional<Error> check_device(const Device& device) {
    return row_of(device.kind).check(device);
}

std::optional<Error> check_capture(const Device& device) {
    const bool is_file = device.traits().target == Target::file_or_interface;
    if (!is_file || device.target.empty() || device.on_interface()) return std::nullopt;
    std::error_code unknown;
    // check_device reports a missing file.
    if (!fs::is_regular_file(device.target, unknown)) return std::nullopt;
    std::ifstream capture(device.target, std::ios::binary);
    const auto other = other_than_ethernet(capture);
    if (!other) return std::nullopt;
    return Error{device.text, device.target + " has frames of " + *other + ", not ETHERNET",
                 "name a capture of an Ethernet interface; of several interfaces keep that one, "
                 "as with `tshark -r FILE -Y frame.interface_id==0 -w NEW.pcap`"};
}

BufferLayout layout_for(std::span<const Device> devices) {
    const auto any = [&](BufferNeed need) {
        return std::ranges::any_of(
            devices, [&](const Device& device) { return device.traits().buffers == need; });
    };
    if (any(BufferNeed::page)) return BufferLayout::page;
    return any(BufferNeed::hardware) ? BufferLayout::hardware : BufferLayout::packed;
}

DriverArguments driver_arguments(const Device& device) {
    return {std::string(device.traits().driver), row_of(device.kind).arguments(device)};
}

}  // namespace sluice::pmd
