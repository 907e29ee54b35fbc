#include "control/show/noun_snapshots.h"

#include <fmt/format.h>

#include "control/lldp/text.h"
#include "dataplane/types/enum_count.h"

namespace sluice::control {

namespace {

constexpr std::array<std::string_view, 4> modes = {"disabled", "tx", "rx", "both"};
static_assert(modes.size() == count_of<lldp::Mode>);

Json text_or_null(const std::optional<std::string>& text) {
    return text ? Json(lldp::printable(*text)) : Json();
}

Json names_of(uint16_t capabilities) {
    Json names = Json::array();
    for (std::size_t bit = 0; bit < lldp::capability_names.size(); ++bit) {
        if ((capabilities >> bit & 1) != 0) names.push_back(lldp::capability_names[bit]);
    }
    return names;
}

Json capabilities_of(const lldp::Lldpdu& says, uint16_t lldp::Capabilities::*which) {
    return says.capabilities ? names_of((*says.capabilities).*which) : Json();
}

int64_t whole_seconds(Nanos time) { return std::max<int64_t>(0, time.count()) / 1'000'000'000; }

Json organisational(const lldp::OrganisationalTlv& tlv) {
    std::string payload;
    for (const uint8_t octet : tlv.payload) payload += fmt::format("{:02x}", octet);
    return {{"oui", fmt::format("{:06x}", tlv.oui)},
            {"subtype", tlv.subtype},
            {"payload", std::move(payload)}};
}

Json addresses_of(const lldp::Lldpdu& says) {
    Json addresses = Json::array();
    for (const auto& address : says.management_addresses) {
        addresses.push_back(lldp::address_text(address));
    }
    return addresses;
}

Json neighbour_row(const lldp::Neighbour& neighbour, Nanos now) {
    const lldp::Lldpdu& says = neighbour.lldpdu;
    Json tlvs = Json::array();
    for (const auto& tlv : says.organisational) tlvs.push_back(organisational(tlv));
    return {
        {"chassis_id", lldp::chassis_text(says.chassis_id)},
        {"chassis_id_subtype", lldp::chassis_id_subtype_name(says.chassis_id)},
        {"port_id", lldp::port_text(says.port_id)},
        {"port_id_subtype", lldp::port_id_subtype_name(says.port_id)},
        {"source", to_text(neighbour.source)},
        {"destination", lldp::name_of(neighbour.to)},
        {"ttl_s", says.ttl},
        {"expires_s", whole_seconds(neighbour.expires - now)},
        {"known_for_s", whole_seconds(now - neighbour.since)},
        {"port_description", text_or_null(says.port_description)},
        {"system_name", text_or_null(says.system_name)},
        {"system_description", text_or_null(says.system_description)},
        {"capabilities", capabilities_of(says, &lldp::Capabilities::system)},
        {"enabled_capabilities", capabilities_of(says, &lldp::Capabilities::enabled)},
        {"management_addresses", addresses_of(says)},
        {"organisational", std::move(tlvs)},
    };
}

}  // namespace

Json lldp_snapshot(const View& view, bool) {
    Json rows = Json::array();
    for (std::size_t port = 0; port < view.agents.size(); ++port) {
        if (view.ports[port].vacant) continue;
        const lldp::Agent& agent = view.agents[port];
        const lldp::Statistics& statistics = agent.statistics();
        const lldp::Lldpdu& local = agent.settings().local;
        Json neighbours = Json::array();
        for (const lldp::Neighbour& neighbour : agent.neighbours()) {
            neighbours.push_back(neighbour_row(neighbour, view.now));
        }
        rows.push_back({
            {"port", view.ports[port].name},
            {"mode", modes[static_cast<std::size_t>(agent.settings().mode)]},
            {"chassis_id", lldp::chassis_text(local.chassis_id)},
            {"chassis_id_subtype", lldp::chassis_id_subtype_name(local.chassis_id)},
            {"port_id", lldp::port_text(local.port_id)},
            {"port_id_subtype", lldp::port_id_subtype_name(local.port_id)},
            {"ttl_s", local.ttl},
            {"port_description", text_or_null(local.port_description)},
            {"system_name", text_or_null(local.system_name)},
            {"system_description", text_or_null(local.system_description)},
            {"management_addresses", addresses_of(local)},
            {"neighbours", std::move(neighbours)},
            {"too_many_neighbours", agent.too_many_neighbours(view.now)},
            {"frames_out", statistics.frames_out},
            {"frames_in", statistics.frames_in},
            {"frames_in_errors", statistics.frames_in_errors},
            {"frames_discarded", statistics.frames_discarded},
            {"tlvs_discarded", statistics.tlvs.discarded},
            {"tlvs_unrecognized", statistics.tlvs.unrecognized},
            {"ageouts", statistics.ageouts},
            {"lldpdu_length_errors", statistics.lldpdu_length_errors},
        });
    }
    return rows;
}

}  // namespace sluice::control
