// Generator: all stations of one test: a sender and a receiver on each link, polled in turn by one
// thread, and the results afterwards.
//
// A run has one traffic description; the next run is a new Generator on the same links. Frames of
// an earlier run that still arrive count as strays. Bound: for each station, a poll sends one burst
// and receives one larger burst at most. Not here: threads and time; the caller of `poll` passes
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

// Stream: equal frames from one station to another, which are counted separately.
struct Stream {
    std::string name;
    PortIndex from = 0;
    SenderSettings sender;  // with one priority and one receiver
};

struct Traffic {
    SenderSettings senders;
    std::vector<Stream> streams = {};  // replace the senders' pattern if not empty
    PortSet talkers = ~PortSet{0};     // stations that send, if the pattern's shape has them send
    Rate host;                         // rate at which every receiver accepts frames
    PrioritySet pauses = 0;            // priorities for which receivers send PFC
    Nanos pauses_from;
};

struct FlowResult {
    Flow flow;
    uint64_t offered = 0;  // a broadcast counts once for each receiver
    uint64_t delivered = 0;
    uint64_t reordered = 0;
    uint64_t duplicates = 0;
    Quantiles latency;                       // nanoseconds
    std::optional<std::size_t> stream = {};  // number of the stream, if the flow is one
    bool of_probes = true;                   // false: frames that receivers cannot recognise

    [[nodiscard]] uint64_t lost() const {
        return of_probes && offered > delivered ? offered - delivered : 0;
    }
};

struct Results {
    std::vector<FlowResult> flows;  // flows that had frames
    uint64_t offered = 0;           // probes offered
    uint64_t raw = 0;               // frames sent that receivers cannot recognise
    uint64_t delivered = 0;
    uint64_t lost = 0;
    uint64_t reordered = 0;
    uint64_t duplicates = 0;
    uint64_t strays = 0;
    uint64_t octets_delivered = 0;                           // octets with FCS
    uint64_t bursts = 0;                                     // bursts passed to devices
    uint64_t refusals = 0;                                   // bursts not accepted as a whole
    std::array<uint64_t, max_priorities> pauses_received{};  // XOFFs received
    uint64_t pause_frames_received = 0;
    uint64_t pause_frames_sent = 0;
    Histogram latency;  // nanoseconds

    // Returns the share of bursts for which a device had no room. At full speed without pauses a
    // share near 0 means that the sender is the bottleneck, else the devices are.
    [[nodiscard]] double refused() const {
        return bursts == 0 ? 0 : static_cast<double>(refusals) / static_cast<double>(bursts);
    }
};

class Generator {
  public:
    // Makes a station for each link. Port n of the pattern is links[n].
    Generator(std::span<Link* const> links, const Traffic& traffic, Nanos start);

    // Polls each station once, with the time of `now()`. Returns the number of frames that moved.
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
    void set_rate(Rate rate, Nanos now);  // sets the rate of every sender
    // Removes the limits of receivers, so that frames in flight can arrive.
    void drain();

    [[nodiscard]] bool finished() const;  // whether every sender has sent all of its frames
    // Must not be called while another thread polls.
    [[nodiscard]] Results results() const;
    // Returns the time of the last gap at any receiver (receiver.h).
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
    // Returns the offered frames of a flow, including the sender's broadcasts, which the receiver
    // gets as well.
    [[nodiscard]] uint64_t offered(const Flow& flow) const;

    struct Station {
        std::vector<std::unique_ptr<Sender>> senders;  // one, or one for each stream
        Receiver receiver;
    };
    std::vector<std::pair<const Sender*, Flow>> streams_;
    std::vector<std::unique_ptr<Station>> stations_;
};

struct AddressRange {
    uint32_t first = 0;
    uint32_t count = 1;
};
// Sends an announcement (probe.h) on each link, for each address of its station in `addresses`.
// Returns how many the devices accepted.
std::size_t announce(std::span<Link* const> links, VlanId vlan,
                     FormatFamily family = FormatFamily::ethernet, AddressRange addresses = {});
// Discards the frames that have arrived, such as flooded announcements: at most 256 bursts of each
// link.
void discard_arrivals(std::span<Link* const> links);

}  // namespace sluice::gen
