#include "control/dcbx/codec_draft0409.h"

#include "control/dcbx/application.h"
#include "control/dcbx/priority_groups.h"
#include "control/dcbx/subtypes.h"

namespace sluice::dcbx {
namespace {

// Lengths of the TLVs, after the subtype.
constexpr std::size_t classes_octets = 1;
constexpr std::size_t ets_octets = 13;
constexpr std::size_t recommendation_octets = 9;
constexpr std::size_t pfc_octets = 2;
constexpr std::size_t pfc_octets_defended = 3;
constexpr std::size_t congestion_octets = 3;

constexpr uint8_t last_bit = 0x01;   // Willing of ETS, and RV
constexpr uint8_t first_bit = 0x80;  // Willing of the other features

constexpr std::array<std::optional<Selector>, 5> selectors = {
    Selector::ether_type, Selector::tcp, Selector::udp, Selector::tcp_or_udp, Selector::other_port};

uint8_t flag(bool set, uint8_t bit) { return set ? bit : uint8_t{0}; }

// Reads TLVs. Only the first TLV of a subtype counts, malformed or not.
class Reader {
  public:
    Reader(Advertisement& said, FaultCounters& faults) : said_(said), faults_(faults) {}

    void read(const lldp::OrganisationalTlv& tlv) {
        const bool known =
            tlv.subtype >= draft_classes_subtype && tlv.subtype <= draft_congestion_subtype;
        if (tlv.oui != ieee_oui || !known) return;
        if (seen_[tlv.subtype]++ > 0) return faults_.count(Fault::duplicate);
        const Octets& octets = tlv.payload;
        switch (tlv.subtype) {
            case draft_classes_subtype:
                if (has(octets, classes_octets))
                    said_.classes_supported = from_three_bits(octets[0]);
                break;
            case ets_subtype:
                if (has(octets, ets_octets)) read_ets(octets);
                break;
            case recommendation_subtype:
                if (has(octets, recommendation_octets)) read_recommendation(octets);
                break;
            case pfc_subtype:
                if (octets.size() == pfc_octets_defended || has(octets, pfc_octets)) {
                    read_pfc(octets);
                }
                break;
            case application_subtype:
                read_application(octets);
                break;
            default:
                if (has(octets, congestion_octets)) {
                    said_.congestion = {.parameter = {.enabled = octets[1]},
                                        .willing = (octets[0] & first_bit) != 0,
                                        .defences_on = octets[2]};
                }
                break;
        }
    }

  private:
    bool has(const Octets& octets, std::size_t length) {
        if (octets.size() == length) return true;
        faults_.count(Fault::length);
        return false;
    }
    void read_ets(const Octets& octets) {
        const PriorityGroups groups{.group_of = read_nibbles(&octets[1]),
                                    .bandwidth = read_eight(&octets[1 + nibble_octets])};
        if (const auto ets = read_groups(groups, CreditBasedGroups::two, faults_)) {
            said_.ets = {.parameter = *ets, .willing = (octets[0] & last_bit) != 0};
        }
    }
    void read_recommendation(const Octets& octets) {
        const bool valid = (octets[0] & last_bit) != 0;
        Recommendation recommendation{.valid = valid, .bandwidth_only = true};
        if (valid) {
            recommendation.ets.bandwidth = read_eight(&octets[1]);
            if (sum(recommendation.ets.bandwidth) != 100) return faults_.count(Fault::bandwidth);
        }
        said_.recommendation = recommendation;
    }
    void read_pfc(const Octets& octets) {
        Offered<Pfc> pfc{
            .parameter = {.enabled = octets[1], .capability = from_three_bits(octets[0])},
            .willing = (octets[0] & first_bit) != 0};
        if (octets.size() == pfc_octets_defended) pfc.defences_on = octets[2];
        said_.pfc = pfc;
    }
    void read_application(const Octets& octets) {
        if (octets.empty()) return faults_.count(Fault::length);
        const auto table = read_entries(std::span(octets).subspan(1), selectors, faults_);
        if (table) {
            said_.application = {.parameter = *table, .willing = (octets[0] & first_bit) != 0};
        }
    }

    Advertisement& said_;
    FaultCounters& faults_;
    std::array<unsigned, draft_congestion_subtype + 1> seen_{};
};

}  // namespace

Advertisement read_draft0409(std::span<const lldp::OrganisationalTlv> tlvs, FaultCounters& faults) {
    Advertisement said;
    Reader reader(said, faults);
    for (const auto& tlv : tlvs) reader.read(tlv);
    return said;
}

std::vector<lldp::OrganisationalTlv> write_draft0409(const Advertisement& said) {
    std::vector<lldp::OrganisationalTlv> tlvs;
    const auto add = [&](uint8_t subtype, Octets octets) {
        tlvs.push_back({ieee_oui, subtype, std::move(octets)});
    };
    if (said.classes_supported) {
        add(draft_classes_subtype, {in_three_bits(*said.classes_supported)});
    }
    if (said.ets) {
        const auto groups = write_groups(said.ets->parameter, CreditBasedGroups::two);
        Octets octets = {flag(said.ets->willing, last_bit)};
        append_nibbles(octets, groups.group_of);
        append_eight(octets, groups.bandwidth);
        add(ets_subtype, octets);
    }
    if (said.recommendation) {
        const bool valid = said.recommendation->valid;
        Octets octets = {flag(valid, last_bit)};
        append_eight(octets, valid ? make_hundred(said.recommendation->ets.bandwidth) : PerClass{});
        add(recommendation_subtype, octets);
    }
    if (said.pfc) {
        const Pfc& pfc = said.pfc->parameter;
        Octets octets = {static_cast<uint8_t>(flag(said.pfc->willing, first_bit) |
                                              in_three_bits(pfc.capability)),
                         pfc.enabled};
        if (said.pfc->defences_on) octets.push_back(*said.pfc->defences_on);
        add(pfc_subtype, octets);
    }
    if (said.application) {
        Octets octets = {flag(said.application->willing, first_bit)};
        append_entries(octets, said.application->parameter, selectors);
        add(application_subtype, octets);
    }
    if (said.congestion) {
        add(draft_congestion_subtype,
            {flag(said.congestion->willing, first_bit), said.congestion->parameter.enabled,
             said.congestion->defences_on.value_or(0)});
    }
    return tlvs;
}

}  // namespace sluice::dcbx
