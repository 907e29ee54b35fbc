// Generator: all stations of one test: a sender and a receiver on each link, polled in turn by one
// thread, and the results afterwards.
//
// A run has one traffic description; the next run is a new Generator on the same links. Frames of
// an earlier run that still arrive count as strays. Bound: one poll sends one burst and receives at
// most a larger one for each station. Not done here: threads and time; the caller of `poll` passes
// the time.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "tools/common/histogram.h"
#include "tools/gen/link.h"
#include "tools/gen/receiver.h"
#include "tools/gen/sender.h"

namespace sluice::gen {

// Frames of one station to one other that are alike, and are counted for themselves.
struct Stream {
    std::string name;
    PortIndex from = 0;
    SenderSettings sender;  // which is of one priority, and to one station
};

struct Traffic {
    SenderSettings senders;
    std::vector<Stream> streams = {};  // in place of the senders' pattern, if there are any
    PortSet talkers = ~PortSet{0};     // the senders that send, if the pattern's shape lets them
    Rate host;                         // of every receiver: how fast it takes frames
    PrioritySet pauses = 0;            // that receivers send PFC for
    Nanos pauses_from;
};

struct FlowResult {
    Flow flow;
    uint64_t offered = 0;  // of a broadcast each receiver has its copy
    uint64_t delivered = 0;
    uint64_t reordered = 0;
    uint64_t duplicates = 0;
    Quantiles latency;                       // nanoseconds
    std::optional<std::size_t> stream = {};  // the stream's number, if it is one
    bool of_probes = true;                   // else of octets that nobody knows again

    [[nodiscard]] uint64_t lost() const {
        return of_probes && offered > delivered ? offered - delivered : 0;
    }
};

struct Results {
    std::vector<FlowResult> flows;  // that had frames
    uint64_t offered = 0;           // of probes
    uint64_t raw = 0;               // frames of octets that nobody knows again
    uint64_t delivered = 0;
    uint64_t lost = 0;
    uint64_t reordered = 0;
    uint64_t duplicates = 0;
    uint64_t strays = 0;
    uint64_t octets_delivered = 0;                           // with FCS
    uint64_t bursts = 0;                                     // that devices were given to send
    uint64_t refusals = 0;                                   // bursts that were not taken whole
    std::array<uint64_t, max_priorities> pauses_received{};  // XOFFs
    uint64_t pause_frames_received = 0;
    uint64_t pause_frames_sent = 0;
    Histogram latency;  // nanoseconds

    // The share of bursts that a device had no room for. At full speed without pauses: near 0 the
    // sender is the bottleneck, else the devices behind it.
    [[nodiscard]] double refused() const {
        return bursts == 0 ? 0 : static_cast<double>(refusals) / static_cast<double>(bursts);
    }
};

class Generator {
  public:
    // Every station sends by `traffic`; port n of the pattern is links[n].
    Generator(std::span<Link* const> links, const Traffic& traffic, Nanos start);

    // Each station once around; `now()` is asked for each of them. Returns the frames that moved.
    template <class Now>
    std::size_t poll(Now now, bool sending) {
        std::size_t moved = 0;
        for (auto& station : stations_) {
            const Nanos at = now();
            moved += station->receiver.poll(at, [&](const PauseFrame& pause) {
                for (const auto& sender : station->senders) sender->receive(pause, at);
            });
            if (!sending) continue;
            for (const auto& sender : station->senders) moved += sender->poll(now());
        }
        return moved;
    }
    void set_rate(Rate rate, Nanos now);  // of every sender
    // Receivers are not slowed any more, so that frames in flight can arrive.
    void drain();

    [[nodiscard]] bool finished() const;  // every sender has sent all of its frames
    // Not to be called while another thread polls.
    [[nodiscard]] Results results() const;
    // Returns the last gap of the receiver that had the latest one (receiver.h).
    [[nodiscard]] std::optional<Nanos> last_gap() const;
    // Any thread may call these.
    [[nodiscard]] std::size_t ports() const { return stations_.size(); }
    [[nodiscard]] uint64_t frames_sent(PortIndex port) const;
    [[nodiscard]] const Receiver& receiver(PortIndex port) const {
        return stations_[port]->receiver;
    }

  private:
    void add_streams(Results& sum) const;
    void add_flows(Results& sum) const;
    // Alone to the receiver, or to everybody.
    [[nodiscard]] uint64_t offered(const Flow& flow) const;

    struct Station {
        std::vector<std::unique_ptr<Sender>> senders;  // one for each port or stream that sends
        Receiver receiver;
    };
    std::vector<std::pair<const Sender*, Flow>> streams_;
    std::vector<std::unique_ptr<Station>> stations_;
};

struct AddressRange {
    uint32_t first = 0;
    uint32_t count = 1;
};
// Sends an announcement (probe.h) by each link, or one for each of so many addresses of its
// station. Returns how many were taken.
std::size_t announce(std::span<Link* const> links, VlanId vlan,
                     FormatFamily family = FormatFamily::ethernet, AddressRange addresses = {});
// Discards the frames that have arrived, such as flooded announcements: at most 256 bursts of each
// link.
void discard_arrivals(std::span<Link* const> links);

}  // namespace sluice::gen
