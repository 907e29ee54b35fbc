#include "control/lldp/agent.h"

#include <algorithm>
#include <cassert>
#include <iterator>
#include <utility>

#include "dataplane/ingress/parse.h"
#include "dataplane/types/tag.h"

namespace sluice::lldp {

namespace {

constexpr std::size_t addresses_octets = 12;
constexpr std::size_t tag_octets = 4;
constexpr std::size_t shortest_frame = 60;  // without FCS
constexpr int64_t second = 1'000'000'000;

struct Received {
    std::span<const uint8_t> lldpdu;  // the octets after the EtherType
    Destination to;
};

// Returns empty if the frame is not LLDP.
std::optional<Received> received_in(std::span<const uint8_t> frame) {
    std::size_t at = addresses_octets;
    const auto is_tag = [](uint16_t type) {
        return type == ether_type_of(TagType::customer) || type == ether_type_of(TagType::service);
    };
    for (int tags = 0; tags < 2; ++tags) {
        if (frame.size() < at + 2 || !is_tag(read_16(&frame[at]))) break;
        at += tag_octets;
    }
    if (frame.size() < at + 2 || read_16(&frame[at]) != lldp_ether_type) return {};
    const auto to = destination_of(read_address(frame.data()));
    if (!to) return {};
    return Received{frame.subspan(at + 2), *to};
}

Octets ethernet_header(Destination to, MacAddress source) {
    Octets octets(addresses_octets + 2);
    write_address(octets.data(), address_of(to));
    write_address(&octets[6], source);
    write_16(&octets[addresses_octets], lldp_ether_type);
    return octets;
}

Octets padded(Octets octets) {
    octets.resize(std::max(octets.size(), shortest_frame));
    return octets;
}

uint16_t ttl_of(const AgentSettings& settings) {
    const int64_t seconds = (settings.times.interval * settings.hold).count() / second;
    return static_cast<uint16_t>(std::min<int64_t>(65535, seconds + 1));
}

bool same_port(const AgentSettings& a, const AgentSettings& b) {
    return a.local.chassis_id == b.local.chassis_id && a.local.port_id == b.local.port_id;
}

// Visits the destinations of the set; the nearest bridge is the last one.
template <class Visit>
void for_each_destination(DestinationSet set, Visit visit) {
    for (std::size_t index = destinations.size(); index-- > 0;) {
        const auto destination = static_cast<Destination>(index);
        if ((set & only(destination)) != 0) visit(destination);
    }
}

void append(NeighbourChanges& changes, NeighbourChanges more) {
    std::ranges::move(more, std::back_inserter(changes));
}

}  // namespace

Agent::Agent(AgentSettings settings) : settings_(std::move(settings)), timer_(settings_.times) {
    settings_.local.ttl = ttl_of(settings_);
}

// --- settings and link ---------------------------------------------------------------------------

NeighbourChanges Agent::configure(AgentSettings settings, Nanos now) {
    settings.local.ttl = ttl_of(settings);
    settings.local.organisational = settings_.local.organisational;
    const bool other_port =
        !same_port(settings, settings_) || settings.destinations != settings_.destinations;
    const bool is_changed = settings.local != settings_.local;
    if (sends_ && other_port) shut_down(now);
    settings_ = std::move(settings);
    timer_.configure(settings_.times);
    NeighbourChanges changes = update(now);
    if (sends_ && is_changed) timer_.local_change(now);
    return changes;
}

NeighbourChanges Agent::set_link(bool up, Nanos now) {
    link_ = up;
    return update(now);
}

void Agent::set_organisational(std::vector<OrganisationalTlv> tlvs, Nanos now) {
    if (tlvs == settings_.local.organisational) return;
    settings_.local.organisational = std::move(tlvs);
    if (sends_) timer_.local_change(now);
}

void Agent::announce(Nanos now) {
    if (sends_) timer_.fast_start(now);
}

NeighbourChanges Agent::stop(Nanos now) {
    settings_.mode = Mode::disabled;
    return update(now);
}

bool Agent::may_send() const {
    return link_ && (settings_.mode == Mode::tx || settings_.mode == Mode::both);
}

bool Agent::receives() const {
    return link_ && (settings_.mode == Mode::rx || settings_.mode == Mode::both);
}

// Starts or stops sending and receiving, as the link and the settings require now.
NeighbourChanges Agent::update(Nanos now) {
    if (!link_) {
        sends_ = false;
        due_.clear();
        restart_ = Nanos(0);
    } else if (sends_ && !may_send()) {
        shut_down(now);
    }
    if (!sends_ && may_send() && now >= restart_) {
        sends_ = true;
        due_.clear();
        timer_.start(now);
    }
    return receives() ? NeighbourChanges{} : table_.clear();
}

void Agent::shut_down(Nanos now) {
    sends_ = false;
    restart_ = now + settings_.reinit_delay;
    due_.clear();
    for_each_destination(settings_.destinations, [&](Destination to) {
        Octets frame = ethernet_header(to, settings_.address);
        write_shutdown(settings_.local, frame);
        due_.push_back(padded(std::move(frame)));
    });
}

// --- frames --------------------------------------------------------------------------------------

NeighbourChanges Agent::receive(std::span<const uint8_t> frame, Nanos now) {
    if (!receives()) return {};
    const auto received = received_in(frame);
    if (!received) return {};
    NeighbourChanges changes = expire(now);
    ++statistics_.frames_in;
    const TlvCounts before = statistics_.tlvs;
    const auto lldpdu = read_lldpdu(received->lldpdu, statistics_.tlvs);
    if (!lldpdu || statistics_.tlvs.discarded != before.discarded) ++statistics_.frames_in_errors;
    if (!lldpdu) {
        ++statistics_.frames_discarded;
        return changes;
    }
    if (!table_.has_room_for(*lldpdu, received->to)) {
        ++statistics_.frames_discarded;
        table_.refuse(*lldpdu, now);
        return changes;
    }
    if (auto change = table_.receive(read_address(&frame[6]), *lldpdu, now, received->to)) {
        const bool is_new = change->what == NeighbourEvent::added;
        if (is_new && sends_) timer_.fast_start(now);
        changes.push_back(std::move(*change));
    }
    return changes;
}

NeighbourChanges Agent::expire(Nanos now) {
    NeighbourChanges changes = table_.expire(now);
    statistics_.ageouts += changes.size();
    append(changes, update(now));
    return changes;
}

std::optional<Octets> Agent::next_frame(Nanos now) {
    if (due_.empty() && sends_ && timer_.take(now)) queue_information();
    if (due_.empty()) return {};
    ++statistics_.frames_out;
    Octets frame = std::move(due_.back());
    due_.pop_back();
    return frame;
}

void Agent::requeue(Octets frame, Nanos now) {
    assert(statistics_.frames_out > 0);
    --statistics_.frames_out;
    if (sends_) {
        due_.clear();
        timer_.local_change(now);
    } else if (link_) {
        due_.push_back(std::move(frame));
    }
}

void Agent::queue_information() {
    for_each_destination(settings_.destinations, [&](Destination to) {
        Octets frame = ethernet_header(to, settings_.address);
        if (!write_lldpdu(settings_.local, settings_.longest, frame)) {
            ++statistics_.lldpdu_length_errors;
        }
        due_.push_back(padded(std::move(frame)));
    });
}

Nanos Agent::deadline() const {
    if (!due_.empty()) return Nanos(0);
    Nanos next = table_.deadline();
    if (sends_) next = std::min(next, timer_.deadline());
    if (!sends_ && may_send()) next = std::min(next, restart_);
    return next;
}

std::vector<OrganisationalNeighbour> Agent::organisational() const {
    std::vector<OrganisationalNeighbour> neighbours;
    for (const Neighbour& neighbour : table_.neighbours()) {
        if (neighbour.to != Destination::nearest_bridge) continue;
        neighbours.push_back({neighbour.source, neighbour.lldpdu.chassis_id,
                              neighbour.lldpdu.port_id, neighbour.lldpdu.organisational});
    }
    return neighbours;
}

}  // namespace sluice::lldp
