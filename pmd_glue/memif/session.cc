#include "pmd_glue/memif/session.h"

#include <algorithm>
#include <utility>

#include "pmd_glue/memif/waker.h"

namespace sluice::pmd::memif {
namespace {

constexpr std::string_view own_name = "Sluice";

Answer ended(std::string why) { return {.say = {}, .end = std::move(why)}; }

std::string why_of(const Message& message) {
    return "the other end reports: " + as_string(body_of<Disconnect>(message).why);
}

}  // namespace

// --- server ---

Message ServerSession::hello() {
    return message(MessageType::hello, Hello{.name = as_text<name_octets>(own_name),
                                             .min_version = version,
                                             .max_version = version,
                                             .max_region = SharedMemory::most_regions - 1,
                                             .max_to_client_ring = SharedMemory::most_rings - 1,
                                             .max_to_server_ring = SharedMemory::most_rings - 1,
                                             .max_log2_ring_size = most_log2_ring_size});
}

Answer ServerSession::receive(const Message& received, FileDescriptor file, const Claim& claim) {
    std::optional<std::string> refusal;
    const MessageType type = type_of(received);
    if (type == MessageType::disconnect) return ended(why_of(received));
    if (connected_) return ended("it is connected already");
    if (type != MessageType::init && !claimed_) return ended("a message before INIT");
    switch (type) {
        case MessageType::init:
            refusal = take(body_of<Init>(received), claim);
            break;
        case MessageType::add_region:
            refusal = take(body_of<AddRegion>(received), std::move(file));
            break;
        case MessageType::add_ring:
            refusal = take(body_of<AddRing>(received), std::move(file));
            break;
        case MessageType::connect:
            if (refusal = fault_of(memory_); refusal) break;
            connected_ = true;
            return {.say = Outgoing{message(MessageType::connected,
                                            Connect{as_text<name_octets>(own_name)})},
                    .end = {},
                    .connected = true};
        default:
            refusal = "unexpected message type from a client";
    }
    if (refusal) return ended(std::move(*refusal));
    return {.say = Outgoing{message(MessageType::ack)}, .end = {}};
}

std::optional<std::string> ServerSession::take(const Init& init, const Claim& claim) {
    if (claimed_) return "INIT received twice";
    if (init.version != version) return "this end supports only version 2.0";
    if (init.mode != 0) return "this end supports only Ethernet mode";
    if (auto refusal = claim(init.id, trusted_)) return refusal;
    claimed_ = true;
    return std::nullopt;
}

std::optional<std::string> ServerSession::take(const AddRegion& added, FileDescriptor file) {
    if (added.index != memory_.regions.size() || added.index >= SharedMemory::most_regions) {
        return "regions are numbered from 0 to 15, in order";
    }
    auto region = Region::map(std::move(file), added.size, trusted_);
    if (!region) return region.error();
    memory_.regions.push_back(std::move(*region));
    return std::nullopt;
}

std::optional<std::string> ServerSession::take(const AddRing& added, FileDescriptor file) {
    const bool to_server = (added.flags & ring_to_server) != 0;
    auto& rings = to_server ? memory_.to_server : memory_.to_client;
    if (added.index != rings.size() || added.index >= SharedMemory::most_rings) {
        return "rings are numbered from 0 to 15, in order";
    }
    if (added.private_header_size != 0)
        return "a ring has a private header, which this end does not support";
    if (to_server) file = {};  // this end polls
    if (file.is_open() && !Waker::can_wake(file.number())) {
        return "the interrupt of a ring is not an eventfd";
    }
    rings.push_back({.region = added.region,
                     .offset = added.offset,
                     .log2_size = added.log2_ring_size,
                     .interrupt = std::move(file)});
    return std::nullopt;
}

// --- client ---

Answer ClientSession::receive(const Message& received) {
    if (connected_ && type_of(received) != MessageType::disconnect) {
        return ended("it is connected already");
    }
    switch (type_of(received)) {
        case MessageType::hello:
            if (auto refusal = prepare(body_of<Hello>(received))) return ended(std::move(*refusal));
            [[fallthrough]];
        case MessageType::ack: {
            if (to_say_.empty()) return ended("ACK received, but no message waits for one");
            Answer answer{.say = to_say_.front(), .end = {}};
            to_say_.pop_front();
            awaits_connected_ = to_say_.empty();
            return answer;
        }
        case MessageType::connected:
            if (!awaits_connected_) return ended("CONNECTED received before CONNECT was sent");
            connected_ = true;
            return {.say = {}, .end = {}, .connected = true};
        case MessageType::disconnect:
            return ended(why_of(received));
        default:
            return ended("unexpected message type from a server");
    }
}

std::optional<std::string> ClientSession::prepare(const Hello& hello) {
    if (std::exchange(greeted_, true)) return "HELLO received twice";
    if (hello.min_version > version || hello.max_version < version) {
        return "this end supports only version 2.0";
    }
    const auto at_most = [](uint16_t wanted, uint16_t highest) {
        return static_cast<uint16_t>(std::min<unsigned>(wanted, highest + 1U));
    };
    shape_.to_server = at_most(shape_.to_server, hello.max_to_server_ring);
    shape_.to_client = at_most(shape_.to_client, hello.max_to_client_ring);
    shape_.log2_ring_size = std::min(shape_.log2_ring_size, hello.max_log2_ring_size);
    if (shape_.log2_ring_size == 0) return "the other end supports no ring";
    auto made = make_memory(shape_);
    if (!made) return made.error();
    memory_ = std::move(*made);
    to_say_.push_back({message(MessageType::init, Init{.version = version,
                                                       .id = id_,
                                                       .mode = 0,
                                                       .secret = {},
                                                       .name = as_text<name_octets>(own_name)})});
    for (std::size_t index = 0; index < memory_.regions.size(); ++index) {
        const Region& region = memory_.regions[index];
        to_say_.push_back({message(MessageType::add_region,
                                   AddRegion{static_cast<uint16_t>(index), region.octets().size()}),
                           region.file()});
    }
    const auto add = [&](const std::vector<Ring>& rings, uint16_t flags) {
        for (std::size_t index = 0; index < rings.size(); ++index) {
            const Ring& ring = rings[index];
            to_say_.push_back(
                {message(MessageType::add_ring, AddRing{.flags = flags,
                                                        .index = static_cast<uint16_t>(index),
                                                        .region = ring.region,
                                                        .offset = ring.offset,
                                                        .log2_ring_size = ring.log2_size,
                                                        .private_header_size = 0}),
                 ring.interrupt.number()});
        }
    };
    add(memory_.to_server, ring_to_server);
    add(memory_.to_client, 0);
    to_say_.push_back({message(MessageType::connect, Connect{as_text<name_octets>(name_)})});
    return std::nullopt;
}

}  // namespace sluice::pmd::memif
