#include "control/dcbx/codec_cee.h"

#include <algorithm>
#include <utility>

#include "control/dcbx/application.h"
#include "control/dcbx/priority_groups.h"
#include "control/dcbx/subtypes.h"
#include "dataplane/types/address.h"

namespace sluice::dcbx {
namespace {

enum class SubTlv : uint8_t { control = 1, priority_group = 2, pfc = 3, application = 4 };

constexpr std::size_t sub_header_octets = 2;  // type in 7 bits, length in 9
constexpr std::size_t control_octets = 10;
constexpr std::size_t feature_header_octets = 4;
constexpr std::size_t groups_octets = feature_header_octets + nibble_octets + traffic_classes + 1;
constexpr std::size_t pfc_octets = feature_header_octets + 2;
constexpr std::size_t entry_octets = 6;

constexpr uint8_t enable_bit = 0x80;
constexpr uint8_t willing_bit = 0x40;
constexpr uint8_t error_bit = 0x20;

// Selectors of CEE: EtherTypes, and ports of any transport.
constexpr uint8_t ether_type_selector = 0;
constexpr uint8_t port_selector = 1;

void append_32(Octets& octets, uint32_t value) {
    append_16(octets, static_cast<uint16_t>(value >> 16));
    append_16(octets, static_cast<uint16_t>(value));
}

template <class Parameter>
Offered<Parameter> offered(const Parameter& parameter, uint8_t flags) {
    return {.parameter = parameter,
            .willing = (flags & willing_bit) != 0,
            .enabled = (flags & enable_bit) != 0,
            .error = (flags & error_bit) != 0};
}

// An application entry of CEE.
struct Priorities {
    Selector selector = Selector::ether_type;
    uint16_t protocol = 0;
    PrioritySet priorities = 0;
};

class Reader {
  public:
    Reader(Advertisement& said, FaultCounters& faults) : said_(said), faults_(faults) {}

    // Reads the sub-TLVs. Returns false if one of them exceeds the TLV; the caller then ignores the
    // whole TLV.
    bool walk(std::span<const uint8_t> octets) {
        while (!octets.empty()) {
            if (octets.size() < sub_header_octets) return false;
            const uint16_t header = read_16(octets.data());
            const std::size_t length = header & 0x1FFU;
            octets = octets.subspan(sub_header_octets);
            if (octets.size() < length) return false;
            read(static_cast<uint8_t>(header >> 9), octets.first(length));
            octets = octets.subspan(length);
        }
        return true;
    }

  private:
    void read(uint8_t type, std::span<const uint8_t> body) {
        const bool known = type >= static_cast<uint8_t>(SubTlv::control) &&
                           type <= static_cast<uint8_t>(SubTlv::application);
        if (!known) return;
        const auto kind = static_cast<SubTlv>(type);
        // A sub-TLV with a subtype other than 0 is another feature; it is skipped.
        const bool feature = kind != SubTlv::control;
        if (feature && body.size() >= feature_header_octets && body[3] != 0) return;
        if (seen_[type]++ > 0) return faults_.count(Fault::duplicate);
        if (!fits(kind, body.size())) return faults_.count(Fault::sub_tlv_length);
        if (body[0] != 0) return faults_.count(Fault::version);
        switch (kind) {
            case SubTlv::control:
                said_.control = {.oper_version = body[0],
                                 .max_version = body[1],
                                 .seqno = read_32(&body[2]),
                                 .ackno = read_32(&body[6])};
                break;
            case SubTlv::priority_group:
                read_priority_groups(body);
                break;
            case SubTlv::pfc:
                if (body[5] > max_priorities) return faults_.count(Fault::traffic_class);
                said_.pfc = offered<Pfc>({.enabled = body[4], .capability = body[5]}, body[2]);
                break;
            case SubTlv::application:
                read_application(body);
                break;
        }
    }

    static bool fits(SubTlv kind, std::size_t length) {
        switch (kind) {
            case SubTlv::control:
                return length == control_octets;
            case SubTlv::priority_group:
                return length == groups_octets;
            case SubTlv::pfc:
                return length == pfc_octets;
            case SubTlv::application:
                return length >= feature_header_octets;
        }
        return false;
    }

    void read_priority_groups(std::span<const uint8_t> body) {
        const PriorityGroups groups{
            .group_of = read_nibbles(&body[feature_header_octets]),
            .bandwidth = read_eight(&body[feature_header_octets + nibble_octets])};
        const uint8_t classes = body[groups_octets - 1];
        if (classes > traffic_classes) return faults_.count(Fault::traffic_class);
        if (auto ets = read_groups(groups, CreditBasedGroups::none, faults_)) {
            ets->max_classes = classes == 0 ? uint8_t{traffic_classes} : classes;
            said_.ets = offered(*ets, body[2]);
        }
    }

    void read_application(std::span<const uint8_t> body) {
        auto entries = body.subspan(feature_header_octets);
        if (entries.size() % entry_octets != 0) return faults_.count(Fault::table_length);
        std::vector<Priorities> protocols;
        for (; !entries.empty(); entries = entries.subspan(entry_octets)) {
            const uint16_t protocol = read_16(entries.data());
            const uint8_t number = entries[2] & 0x3;
            const uint32_t oui = uint32_t{entries[2] & 0xFCU} << 16 | read_16(&entries[3]);
            const auto selector =
                number == ether_type_selector ? Selector::ether_type : Selector::tcp_or_udp;
            if (number > port_selector || oui != (cee_oui & 0xFCFFFF)) {
                faults_.count(Fault::selector);
            } else if (!is_protocol(selector, protocol) || entries[5] == 0) {
                faults_.count(Fault::protocol);
            } else {
                add(protocols, {selector, protocol, entries[5]});
            }
        }
        said_.application = offered(table_of(protocols), body[2]);
    }

    // Adds a protocol. If it is listed already, its priorities are added to that entry.
    static void add(std::vector<Priorities>& protocols, const Priorities& named) {
        const auto known = std::ranges::find_if(protocols, [&](const Priorities& other) {
            return other.selector == named.selector && other.protocol == named.protocol;
        });
        if (known == protocols.end()) {
            protocols.push_back(named);
        } else {
            known->priorities |= named.priorities;
        }
    }
    static ApplicationTable table_of(const std::vector<Priorities>& protocols) {
        ApplicationTable table;
        for (const Priorities& named : protocols) {
            for (Priority priority = 0; priority < max_priorities; ++priority) {
                if ((named.priorities & only_priority(priority)) == 0) continue;
                table.push_back({named.selector, named.protocol, priority});
            }
        }
        return table;
    }

    Advertisement& said_;
    FaultCounters& faults_;
    std::array<unsigned, static_cast<std::size_t>(SubTlv::application) + 1> seen_{};
};

class Writer {
  public:
    void add(SubTlv type, const Octets& body) {
        append_16(octets, static_cast<uint16_t>(static_cast<unsigned>(type) << 9 | body.size()));
        octets.insert(octets.end(), body.begin(), body.end());
    }
    // Returns the header of a feature with Enable, Willing and Error; both versions and the subtype
    // are 0.
    template <class Parameter>
    static Octets feature_header(const Offered<Parameter>& feature) {
        return {0, 0,
                static_cast<uint8_t>((feature.enabled ? enable_bit : 0U) |
                                     (feature.willing ? willing_bit : 0U) |
                                     (feature.error ? error_bit : 0U)),
                0};
    }
    void add_application(const Offered<ApplicationTable>& application) {
        Octets body = feature_header(application);
        std::vector<Application> done;
        for (Application entry : application.parameter) {
            if (entry.selector == Selector::dscp || entry.selector == Selector::other_port)
                continue;
            const bool port = entry.selector != Selector::ether_type;
            if (port) entry.selector = Selector::tcp_or_udp;
            const auto same = [&](const Application& other) {
                const bool other_port = other.selector != Selector::ether_type;
                return other.protocol == entry.protocol && other_port == port &&
                       other.selector != Selector::dscp && other.selector != Selector::other_port;
            };
            if (std::ranges::any_of(done, same)) continue;
            done.push_back(entry);
            PrioritySet priorities = 0;
            for (const Application& other : application.parameter) {
                if (same(other)) priorities |= only_priority(other.priority);
            }
            const std::size_t room =
                lldp::longest_organisational - octets.size() - sub_header_octets;
            if (body.size() + entry_octets > room) break;
            append_16(body, entry.protocol);
            body.push_back(static_cast<uint8_t>((cee_oui >> 16 & 0xFCU) |
                                                (port ? port_selector : ether_type_selector)));
            append_16(body, static_cast<uint16_t>(cee_oui));
            body.push_back(priorities);
        }
        add(SubTlv::application, body);
    }

    Octets octets;
};

}  // namespace

Advertisement read_cee(std::span<const lldp::OrganisationalTlv> tlvs, FaultCounters& faults) {
    Advertisement said;
    bool seen = false;
    for (const auto& tlv : tlvs) {
        if (tlv.oui != cee_oui || tlv.subtype != cee_subtype) continue;
        if (std::exchange(seen, true)) {
            faults.count(Fault::duplicate);
            continue;
        }
        if (!Reader(said, faults).walk(tlv.payload)) {
            faults.count(Fault::sub_tlv_overrun);
            said = {};
        } else if (!said.control) {
            faults.count(Fault::control_missing);
            said = {};
        }
    }
    return said;
}

std::vector<lldp::OrganisationalTlv> write_cee(const Advertisement& said) {
    if (!said.control) return {};
    Writer writer;
    Octets control = {said.control->oper_version, said.control->max_version};
    append_32(control, said.control->seqno);
    append_32(control, said.control->ackno);
    writer.add(SubTlv::control, control);
    if (said.ets) {
        Octets body = Writer::feature_header(*said.ets);
        const auto groups = write_groups(said.ets->parameter, CreditBasedGroups::none);
        append_nibbles(body, groups.group_of);
        append_eight(body, groups.bandwidth);
        body.push_back(said.ets->parameter.max_classes);
        writer.add(SubTlv::priority_group, body);
    }
    if (said.pfc) {
        Octets body = Writer::feature_header(*said.pfc);
        body.push_back(said.pfc->parameter.enabled);
        body.push_back(said.pfc->parameter.capability);
        writer.add(SubTlv::pfc, body);
    }
    if (said.application) writer.add_application(*said.application);
    return {{cee_oui, cee_subtype, writer.octets}};
}

}  // namespace sluice::dcbx
