// Whatever an LLDP frame says: it is read inside its end, or not at all; what was read can be
// written and reads the same; what is shown of it is UTF-8 without control characters; and an agent
// that received it holds no more neighbours than it may. Nor does harm come of what it says of
// credit and retry.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string>
#include <string_view>

#include "control/lldp/agent.h"
#include "control/lldp/text.h"
#include "control/offers/offer_tlv.h"
#include "tests/support/octets.h"

namespace {

using namespace sluice;

void require(bool holds) {
    if (!holds) std::abort();
}

void must_be_harmless(std::string_view text) {
    for (const char octet : text) require(static_cast<uint8_t>(octet) >= 0x20 && octet != 0x7F);
    std::string bare(text);
    std::erase(bare, '\\');  // the one thing that would be escaped again
    require(lldp::printable(bare) == bare);
}

void must_read_the_same(const lldp::Lldpdu& lldpdu) {
    constexpr std::size_t room = 16 * 1024;  // more than any input
    lldp::Octets octets;
    require(lldp::write_lldpdu(lldpdu, room, octets));
    lldp::TlvCounts counts;
    require(lldp::read_lldpdu(octets, counts) == lldpdu);
    require(counts.discarded == 0);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    const test::Fenced frame(std::span(data, size));
    lldp::AgentSettings settings;
    settings.local.chassis_id = settings.local.port_id = {7, 'u', 's'};
    lldp::Agent agent(settings);
    const Nanos now(1'000'000'000);
    agent.set_link(true, now);
    agent.receive(frame.octets(), now);
    agent.receive(frame.octets(), now);
    require(agent.neighbours().size() <= 1);
    for (const lldp::Neighbour& neighbour : agent.neighbours()) {
        must_read_the_same(neighbour.lldpdu);
        must_be_harmless(lldp::chassis_text(neighbour.lldpdu.chassis_id));
        must_be_harmless(lldp::port_text(neighbour.lldpdu.port_id));
        must_be_harmless(lldp::printable(neighbour.lldpdu.system_name.value_or("")));
        must_be_harmless(lldp::printable(neighbour.lldpdu.system_description.value_or("")));
        for (const lldp::ManagementAddress& address : neighbour.lldpdu.management_addresses) {
            must_be_harmless(lldp::address_text(address));
        }
    }
    const auto organisational = agent.organisational();
    for (const control::OfferKind& kind : {control::credit_offers, control::retry_offers}) {
        bool offers = false;
        for (const lldp::OrganisationalNeighbour& neighbour : organisational) {
            for (const lldp::OrganisationalTlv& tlv : neighbour.tlvs) {
                const auto offer = control::read_offer(kind, tlv);
                offers = offers || offer.has_value();
                if (offer) require(control::read_offer(kind, write_offer(kind, *offer)) == offer);
            }
        }
        require((control::peer_of(kind, organisational) == LinkPeer::able) == offers);
    }
    require(agent.next_frame(now).has_value());
    require(agent.deadline() > now);
    agent.expire(now + Nanos(65'536'000'000'000));
    require(agent.neighbours().empty());
    return 0;
}
