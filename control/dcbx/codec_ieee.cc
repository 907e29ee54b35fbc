#include "control/dcbx/codec_ieee.h"

#include <algorithm>

#include "control/dcbx/application.h"
#include "control/dcbx/subtypes.h"
#include "control/dcbx/tables.h"
#include "dataplane/types/address.h"

namespace sluice::dcbx {
namespace {

// Lengths of the TLVs, after the subtype.
constexpr std::size_t congestion_octets = 2;
constexpr std::size_t ets_octets = 21;
constexpr std::size_t pfc_octets = 2;
constexpr std::size_t vlan_entry_octets = 4;

constexpr uint8_t willing_bit = 0x80;
constexpr uint8_t second_bit = 0x40;  // CBS of ETS, MBC of PFC

constexpr std::array<std::optional<Selector>, 6> selectors = {
    std::nullopt,  Selector::ether_type, Selector::tcp,
    Selector::udp, Selector::tcp_or_udp, Selector::dscp};

std::optional<Ets> read_ets(const Octets& octets, FaultCounters& faults) {
    const auto refused = [&](Fault fault) {
        faults.count(fault);
        return std::nullopt;
    };
    if (octets.size() != ets_octets) return refused(Fault::length);
    Ets ets{.class_of = read_nibbles(&octets[1]),
            .bandwidth = read_eight(&octets[1 + nibble_octets]),
            .max_classes = from_three_bits(octets[0]),
            .credit_based_shaper = (octets[0] & second_bit) != 0};
    if (std::ranges::max(ets.class_of) >= traffic_classes) return refused(Fault::traffic_class);
    bool shares = false;
    for (std::size_t number = 0; number < traffic_classes; ++number) {
        const uint8_t octet = octets[1 + nibble_octets + traffic_classes + number];
        if (octet > 2 && octet != 255) return refused(Fault::selection);
        ets.selection[number] = static_cast<Selection>(octet);
        shares = shares || ets.selection[number] == Selection::ets;
    }
    const unsigned total = sum(ets.bandwidth);
    if (total != 100 && (shares || total != 0)) return refused(Fault::bandwidth);
    return ets;
}

void append_ets(Octets& octets, const Ets& ets) {
    append_nibbles(octets, ets.class_of);
    append_eight(octets, ets.bandwidth);
    for (const Selection selection : ets.selection) {
        octets.push_back(static_cast<uint8_t>(selection));
    }
}

std::optional<std::vector<ApplicationVlan>> read_vlans(const Octets& octets,
                                                       FaultCounters& faults) {
    if (octets.size() % vlan_entry_octets != 0) {
        faults.count(Fault::table_length);
        return std::nullopt;
    }
    std::vector<ApplicationVlan> table;
    for (std::size_t at = 0; at < octets.size(); at += vlan_entry_octets) {
        const uint16_t first = read_16(&octets[at]);
        const auto selector = selector_of(first & 0x7U, selectors);
        const uint16_t protocol = read_16(&octets[at + 2]);
        if (!selector) {
            faults.count(Fault::selector);
        } else if (!is_protocol(*selector, protocol)) {
            faults.count(Fault::protocol);
        } else {
            table.push_back({static_cast<VlanId>(first >> 4), *selector, protocol});
        }
    }
    return table;
}

// Reads TLVs. Only the first TLV of a subtype counts, malformed or not.
class Reader {
  public:
    Reader(Advertisement& said, FaultCounters& faults) : said_(said), faults_(faults) {}

    void read(const lldp::OrganisationalTlv& tlv) {
        if (tlv.oui != ieee_oui || tlv.subtype > application_vlan_subtype) return;
        if (seen_[tlv.subtype]++ > 0 && is_known(tlv.subtype)) {
            return faults_.count(Fault::duplicate);
        }
        const Octets& octets = tlv.payload;
        switch (tlv.subtype) {
            case congestion_subtype:
                if (has(octets, congestion_octets)) {
                    said_.congestion = {.parameter = {octets[0], octets[1]}};
                }
                break;
            case ets_subtype:
                if (const auto ets = read_ets(octets, faults_)) {
                    said_.ets = {.parameter = *ets, .willing = (octets[0] & willing_bit) != 0};
                }
                break;
            case recommendation_subtype:
                if (auto ets = read_ets(octets, faults_)) {
                    // In a configuration the first octet holds these two values; in a
                    // recommendation the octet is reserved.
                    ets->max_classes = traffic_classes;
                    ets->credit_based_shaper = false;
                    said_.recommendation = {.ets = *ets};
                }
                break;
            case pfc_subtype:
                if (has(octets, pfc_octets)) read_pfc(octets);
                break;
            case application_subtype:
                read_application(octets);
                break;
            case application_vlan_subtype:
                said_.application_vlan = read_vlans(octets, faults_);
                break;
            default:
                break;
        }
    }

  private:
    static bool is_known(uint8_t subtype) {
        return (subtype >= congestion_subtype && subtype <= application_subtype) ||
               subtype == application_vlan_subtype;
    }
    bool has(const Octets& octets, std::size_t length) {
        if (octets.size() == length) return true;
        faults_.count(Fault::length);
        return false;
    }
    void read_pfc(const Octets& octets) {
        const uint8_t capability = octets[0] & 0xF;
        if (capability > max_priorities) return faults_.count(Fault::traffic_class);
        said_.pfc = {.parameter = {.enabled = octets[1],
                                   .capability = capability,
                                   .macsec_bypass = (octets[0] & second_bit) != 0},
                     .willing = (octets[0] & willing_bit) != 0};
    }
    void read_application(const Octets& octets) {
        if (octets.empty()) return faults_.count(Fault::length);
        const auto table = read_entries(std::span(octets).subspan(1), selectors, faults_);
        if (table) said_.application = {.parameter = *table};
    }

    Advertisement& said_;
    FaultCounters& faults_;
    std::array<unsigned, application_vlan_subtype + 1> seen_{};
};

}  // namespace

Advertisement read_ieee(std::span<const lldp::OrganisationalTlv> tlvs, FaultCounters& faults) {
    Advertisement said;
    Reader reader(said, faults);
    for (const auto& tlv : tlvs) reader.read(tlv);
    return said;
}

std::vector<lldp::OrganisationalTlv> write_ieee(const Advertisement& said) {
    std::vector<lldp::OrganisationalTlv> tlvs;
    const auto add = [&](uint8_t subtype, Octets octets) {
        tlvs.push_back({ieee_oui, subtype, std::move(octets)});
    };
    if (said.congestion) {
        const auto& parameter = said.congestion->parameter;
        add(congestion_subtype, {parameter.enabled, parameter.ready});
    }
    if (said.ets) {
        const Ets& ets = said.ets->parameter;
        Octets octets = {static_cast<uint8_t>((said.ets->willing ? willing_bit : 0U) |
                                              (ets.credit_based_shaper ? second_bit : 0U) |
                                              in_three_bits(ets.max_classes))};
        append_ets(octets, ets);
        add(ets_subtype, octets);
    }
    if (said.recommendation) {
        Octets octets = {0};
        append_ets(octets, said.recommendation->ets);
        add(recommendation_subtype, octets);
    }
    if (said.pfc) {
        const Pfc& pfc = said.pfc->parameter;
        add(pfc_subtype,
            {static_cast<uint8_t>((said.pfc->willing ? willing_bit : 0U) |
                                  (pfc.macsec_bypass ? second_bit : 0U) | pfc.capability),
             pfc.enabled});
    }
    if (said.application) {
        Octets octets = {0};
        append_entries(octets, said.application->parameter, selectors);
        add(application_subtype, octets);
    }
    if (said.application_vlan) {
        Octets octets;
        for (const ApplicationVlan& entry : *said.application_vlan) {
            const auto number = number_of(entry.selector, selectors);
            const bool fits = octets.size() + vlan_entry_octets <= lldp::longest_organisational;
            if (!number || !fits) continue;
            append_16(octets, static_cast<uint16_t>(entry.vlan << 4 | *number));
            append_16(octets, entry.protocol);
        }
        add(application_vlan_subtype, octets);
    }
    return tlvs;
}

}  // namespace sluice::dcbx
