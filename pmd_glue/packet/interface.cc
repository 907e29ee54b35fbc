#include "pmd_glue/packet/interface.h"

#include <rte_mbuf.h>

#include <algorithm>
#include <filesystem>

#include "pmd_glue/interface_query.h"
#include "pmd_glue/nic/nic_settings.h"
#include "pmd_glue/packet/checksum_mark.h"
#include "pmd_glue/raw_buffers.h"

namespace sluice::pmd::packet {
namespace {

offload::Join::Kinds what_it_joins(const nic::NicSettings& settings) {
    const auto is_on = [&](const char* name) { return settings.feature(name) == true; };
    if (!is_on("tx-scatter-gather")) return {};
    return {.tcp4 = is_on("tx-tcp-segmentation"),
            .tcp6 = is_on("tx-tcp6-segmentation"),
            .udp = is_on("tx-udp-segmentation")};
}

MacAddress address_of(const std::string& name) {
    InterfaceQuery query(name);
    if (!query.ask(SIOCGIFHWADDR)) return {};
    return read_address(reinterpret_cast<const uint8_t*>(query.request().ifr_hwaddr.sa_data));
}

Outgoing outgoing_of(const rte_mbuf& buffer) {
    const bool is_right = (buffer.ol_flags & checksum_is_right) != 0;
    return {.octets = {rte_pktmbuf_mtod(&buffer, const uint8_t*), buffer.data_len},
            .checksum = is_right ? offload::Checksum::right : offload::Checksum::unknown};
}

}  // namespace

tl::expected<std::unique_ptr<Interface>, std::string> Interface::open(
    const InterfaceRequest& request) {
    std::unique_ptr<Interface> interface(new Interface);
    auto fault = request.is_tap ? interface->open_tap(request) : interface->open_sockets(request);
    if (fault) return tl::unexpected(std::move(*fault));
    return interface;
}

std::optional<std::string> Interface::open_sockets(const InterfaceRequest& request) {
    const unsigned index = ::if_nametoindex(request.name.c_str());
    if (auto fault = open_rings(request, index)) return fault;
    std::error_code unknown;
    const bool is_hardware =
        std::filesystem::exists("/sys/class/net/" + request.name + "/device", unknown);
    auto sender = Sender::open({.name = request.name,
                                .interface_index = index,
                                .longest = request.longest,
                                .frames = request.tx_descriptors,
                                .is_hardware = is_hardware,
                                .joins = what_it_joins(*nic::ethtool_settings(request.name))});
    if (!sender) return std::move(sender.error());
    sender_ = std::move(*sender);
    address_ = address_of(request.name);
    return std::nullopt;
}

std::optional<std::string> Interface::open_rings(const InterfaceRequest& request, unsigned index) {
    std::optional<uint16_t> group;
    for (unsigned queue = 0; queue < request.queues; ++queue) {
        auto ring = ReceiveRing::open({.interface_index = index,
                                       .longest = request.longest,
                                       .places = request.rx_descriptors,
                                       .promiscuous = request.promiscuous && queue == 0,
                                       .begins_group = request.queues > 1 && queue == 0,
                                       .group = group});
        if (!ring) return std::move(ring.error());
        group = (*ring)->group();
        if (queue == 0) is_promiscuous_ = (*ring)->is_promiscuous();
        if (queue == 0 && !(*ring)->ignores_outgoing()) {
            notices_.push_back("frames that the host sends by " + request.name +
                               " are switched as well");
        }
        receivers_.push_back(std::make_unique<Receiver>(std::move(*ring)));
    }
    return std::nullopt;
}

// The interface's address belongs to the host: the port has another one.
std::optional<std::string> Interface::open_tap(const InterfaceRequest& request) {
    auto tap = Tap::open(request.name);
    if (!tap) return std::move(tap.error());
    tap_ = std::move(*tap);
    is_promiscuous_ = true;
    receivers_.push_back(std::make_unique<Receiver>(*tap_));
    auto sender =
        Sender::open({.name = request.name,
                      .joins = {.tcp4 = true, .tcp6 = true, .udp = tap_->takes_udp_segments()},
                      .tap = tap_.get()});
    if (!sender) return std::move(sender.error());
    sender_ = std::move(*sender);
    return std::nullopt;
}

std::size_t Interface::transmit(std::span<rte_mbuf*> frames) {
    gives_up_ = false;
    for (std::size_t taken = 0; taken < frames.size(); ++taken) {
        rte_mbuf* const frame = frames[taken];
        if (frame->data_len > longest_sent_) [[unlikely]] {
            flush();
            if (waiting_count_ > 0) return taken;
            if (transmit_now(frame)) continue;
            gives_up_ = sender_->gives_up();
            return taken;
        }
        if (waiting_count_ == waiting_.size()) {
            send_waiting();
            if (waiting_count_ == waiting_.size()) return taken;
        }
        waiting_[waiting_count_++] = frame;
    }
    return frames.size();
}

bool Interface::transmit_now(rte_mbuf* frame) {
    const Outgoing outgoing = outgoing_of(*frame);
    if (sender_->send({&outgoing, 1}) == 0) return false;
    longest_sent_ = std::max(longest_sent_, outgoing.octets.size());
    raw_free_bulk({&frame, 1});
    return true;
}

void Interface::send_waiting() {
    std::array<Outgoing, Sender::most_frames> burst;
    for (std::size_t n = 0; n < waiting_count_; ++n) burst[n] = outgoing_of(*waiting_[n]);
    std::size_t done = 0;
    while (done < waiting_count_) {
        done += sender_->send(std::span(burst).subspan(done, waiting_count_ - done));
        if (done == waiting_count_ || !sender_->gives_up()) break;
        refused_.add(1);
        longest_sent_ = std::min(longest_sent_, burst[done].octets.size() - 1);
        ++done;
    }
    raw_free_bulk(std::span(waiting_).first(done));
    std::copy(waiting_.begin() + static_cast<std::ptrdiff_t>(done),
              waiting_.begin() + static_cast<std::ptrdiff_t>(waiting_count_), waiting_.begin());
    waiting_count_ -= done;
}

Interface::~Interface() { raw_free_bulk(std::span(waiting_).first(waiting_count_)); }

Interface::Counts Interface::counts() const {
    Counts all{
        .refused = refused_.value(),
        .offloads = {.segments_joined = sender_->segments(), .frames_joined = sender_->joined()}};
    for (const auto& receiver : receivers_) {
        const Receiver::Counts counts = receiver->counts();
        all.missed += counts.missed;
        all.unusable += counts.unusable;
        all.offloads.checksums_finished += counts.checksums_finished;
        all.offloads.segments_cut += counts.segments_cut;
        all.offloads.frames_cut += counts.frames_cut;
    }
    return all;
}

std::vector<int> Interface::sockets() const {
    if (tap_) return {tap_->descriptor()};
    std::vector<int> sockets;
    for (const auto& receiver : receivers_) sockets.push_back(receiver->ring()->socket());
    return sockets;
}

}  // namespace sluice::pmd::packet
