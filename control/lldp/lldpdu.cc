#include "control/lldp/lldpdu.h"

#include <algorithm>
#include <array>

namespace sluice::lldp {

namespace {

enum Type : uint8_t {
    end = 0,
    chassis_id,
    port_id,
    time_to_live,
    port_description,
    system_name,
    system_description,
    system_capabilities,
    management_address,
    organisational = 127,
};

constexpr std::size_t header_octets = 2;
constexpr std::size_t longest_value = 511;

// OUIs of the TLVs that this switch knows: 802.1, 802.3, and the OUI of CEE DCBX.
constexpr std::array<uint32_t, 3> known_ouis = {0x0080C2, 0x00120F, 0x001B21};

using Value = std::span<const uint8_t>;

struct Tlv {
    uint8_t type = end;
    Value value;
};

// Takes a TLV from the front of `octets`. Returns empty if the TLV is longer than the rest of the
// frame.
std::optional<Tlv> take_tlv(Value& octets) {
    if (octets.size() < header_octets) return {};
    const unsigned header = read_16(octets.data());
    const std::size_t length = header & 0x1FF;
    if (octets.size() < header_octets + length) return {};
    const Tlv tlv{static_cast<uint8_t>(header >> 9), octets.subspan(header_octets, length)};
    octets = octets.subspan(header_octets + length);
    return tlv;
}

Octets copy_of(Value octets) { return {octets.begin(), octets.end()}; }
std::string text_of(Value octets) { return {octets.begin(), octets.end()}; }

bool is_id(const Tlv& tlv, uint8_t type) {
    return tlv.type == type && tlv.value.size() >= 2 && tlv.value.size() <= 1 + longest_id;
}

bool read_who(Value& octets, Lldpdu& lldpdu) {
    const auto chassis = take_tlv(octets);
    if (!chassis || !is_id(*chassis, chassis_id)) return false;
    const auto port = take_tlv(octets);
    if (!port || !is_id(*port, port_id)) return false;
    const auto ttl = take_tlv(octets);
    if (!ttl || ttl->type != time_to_live || ttl->value.size() < 2) return false;
    lldpdu.chassis_id = copy_of(chassis->value);
    lldpdu.port_id = copy_of(port->value);
    lldpdu.ttl = read_16(ttl->value.data());
    return true;
}

bool read_text(Value value, std::optional<std::string>& text) {
    if (text || value.size() > longest_text) return false;
    text = text_of(value);
    return true;
}

bool read_capabilities(Value value, std::optional<Capabilities>& capabilities) {
    if (capabilities || value.size() < 4) return false;
    capabilities = Capabilities{read_16(value.data()), read_16(value.data() + 2)};
    return true;
}

// Reads length, address family and address; interface numbering subtype and number; OID length and
// OID.
bool read_management_address(Value value, std::vector<ManagementAddress>& addresses) {
    constexpr std::size_t behind_the_address = 6;
    if (value.empty()) return false;
    const std::size_t length = value[0];
    if (length < 2 || length > 1 + longest_address) return false;
    if (value.size() < 1 + length + behind_the_address) return false;
    const Value rest = value.subspan(1 + length);
    const std::size_t object_id = rest[5];
    if (object_id > longest_object_id || rest.size() < behind_the_address + object_id) return false;
    addresses.push_back({.family = value[1],
                         .address = copy_of(value.subspan(2, length - 1)),
                         .interface_numbering = rest[0],
                         .interface_number = uint32_t{read_16(&rest[1])} << 16 | read_16(&rest[3]),
                         .object_id = copy_of(rest.subspan(behind_the_address, object_id))});
    return true;
}

bool read_organisational(Value value, std::vector<OrganisationalTlv>& tlvs, TlvCounts& counts) {
    if (value.size() < 4) return false;
    const uint32_t oui = uint32_t{value[0]} << 16 | read_16(&value[1]);
    if (std::ranges::find(known_ouis, oui) == known_ouis.end()) ++counts.unrecognized;
    tlvs.push_back({oui, value[3], copy_of(value.subspan(4))});
    return true;
}

// Reads an optional TLV. Returns false if the TLV is malformed and to be left out.
bool read_optional(const Tlv& tlv, Lldpdu& lldpdu, TlvCounts& counts) {
    switch (tlv.type) {
        case port_description:
            return read_text(tlv.value, lldpdu.port_description);
        case system_name:
            return read_text(tlv.value, lldpdu.system_name);
        case system_description:
            return read_text(tlv.value, lldpdu.system_description);
        case system_capabilities:
            return read_capabilities(tlv.value, lldpdu.capabilities);
        case management_address:
            return read_management_address(tlv.value, lldpdu.management_addresses);
        case organisational:
            return read_organisational(tlv.value, lldpdu.organisational, counts);
        default:
            ++counts.unrecognized;
            return true;
    }
}

// Writes TLVs while there is room for them and for the End TLV.
class Writer {
  public:
    Writer(Octets& octets, std::size_t room)
        : octets_(octets), most_(octets.size() + room - header_octets) {}

    void mandatory(uint8_t type, const Octets& value) {
        const std::size_t length = std::min(value.size(), longest_value);
        header(type, length);
        octets_.insert(octets_.end(), value.begin(),
                       value.begin() + static_cast<std::ptrdiff_t>(length));
    }
    // After the first TLV that does not fit, no further TLV is written.
    void tlv(uint8_t type, const Octets& value) {
        complete_ = complete_ && octets_.size() + header_octets + value.size() <= most_;
        if (complete_) mandatory(type, value);
    }
    void text(uint8_t type, const std::optional<std::string>& text) {
        if (text) tlv(type, {text->begin(), text->end()});
    }
    bool finish() {
        header(end, 0);
        return complete_;
    }

  private:
    void header(uint8_t type, std::size_t length) {
        octets_.push_back(static_cast<uint8_t>(unsigned{type} << 1 | length >> 8));
        octets_.push_back(static_cast<uint8_t>(length));
    }

    Octets& octets_;
    std::size_t most_;
    bool complete_ = true;
};

void put_16(Octets& octets, unsigned value) {
    octets.push_back(static_cast<uint8_t>(value >> 8));
    octets.push_back(static_cast<uint8_t>(value));
}

void put(Octets& octets, const Octets& more) {
    octets.insert(octets.end(), more.begin(), more.end());
}

void write_who(const Lldpdu& lldpdu, uint16_t ttl, Writer& writer) {
    writer.mandatory(chassis_id, lldpdu.chassis_id);
    writer.mandatory(port_id, lldpdu.port_id);
    Octets seconds;
    put_16(seconds, ttl);
    writer.mandatory(time_to_live, seconds);
}

Octets value_of(const Capabilities& capabilities) {
    Octets value;
    put_16(value, capabilities.system);
    put_16(value, capabilities.enabled);
    return value;
}

Octets value_of(const ManagementAddress& address) {
    Octets value = {static_cast<uint8_t>(1 + address.address.size()), address.family};
    put(value, address.address);
    value.push_back(address.interface_numbering);
    put_16(value, address.interface_number >> 16);
    put_16(value, address.interface_number & 0xFFFF);
    value.push_back(static_cast<uint8_t>(address.object_id.size()));
    put(value, address.object_id);
    return value;
}

Octets value_of(const OrganisationalTlv& tlv) {
    Octets value = {static_cast<uint8_t>(tlv.oui >> 16)};
    put_16(value, tlv.oui & 0xFFFF);
    value.push_back(tlv.subtype);
    put(value, tlv.payload);
    return value;
}

}  // namespace

std::optional<Lldpdu> read_lldpdu(std::span<const uint8_t> octets, TlvCounts& counts) {
    Lldpdu lldpdu;
    if (!read_who(octets, lldpdu)) return {};
    while (!octets.empty()) {
        const auto tlv = take_tlv(octets);
        if (!tlv) return {};
        if (tlv->type == end) break;
        if (tlv->type <= time_to_live) return {};
        if (!read_optional(*tlv, lldpdu, counts)) ++counts.discarded;
    }
    return lldpdu;
}

bool write_lldpdu(const Lldpdu& lldpdu, std::size_t room, Octets& octets) {
    Writer writer(octets, room);
    write_who(lldpdu, lldpdu.ttl, writer);
    writer.text(port_description, lldpdu.port_description);
    writer.text(system_name, lldpdu.system_name);
    writer.text(system_description, lldpdu.system_description);
    if (lldpdu.capabilities) writer.tlv(system_capabilities, value_of(*lldpdu.capabilities));
    for (const ManagementAddress& address : lldpdu.management_addresses) {
        writer.tlv(management_address, value_of(address));
    }
    for (const OrganisationalTlv& tlv : lldpdu.organisational) {
        writer.tlv(organisational, value_of(tlv));
    }
    return writer.finish();
}

void write_shutdown(const Lldpdu& lldpdu, Octets& octets) {
    Writer writer(octets, longest_lldpdu);
    write_who(lldpdu, 0, writer);
    writer.finish();
}

}  // namespace sluice::lldp
