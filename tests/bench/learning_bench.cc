// fdb_learning: how many new addresses a second the whole dataplane takes in on one core: bursts of
// 32 frames of 64 octets (FCS counted) whose sources nobody knows, from one port to a station of
// another, until the table of a million is full. In the figure is everything a frame needs but the
// devices: a worker's poll (dataplane/poll.h) for each burst. The clock of the switch runs at one
// frame a microsecond. Time is what the process used of the processor, median of nine. `lost`
// counts frames that did not arrive and addresses that were not kept.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <span>

#include "dataplane/poll.h"
#include "dataplane/switch.h"
#include "tests/bench/report.h"

namespace {

using namespace sluice;

constexpr std::size_t burst_size = 32;
constexpr int slots = 8;
constexpr uint16_t frame_octets = 60;
constexpr uint32_t addresses = 1U << 20;
constexpr MacAddress station{0x0200'0000'0001};
constexpr uint64_t first_stranger = 0x0211'0000'0000;

Settings settings_of_two_ports() {
    Settings settings;
    settings.ports.resize(2);
    settings.fdb.capacity = addresses + 1;
    settings.fdb.hash_seed = 42;
    settings.fdb.ageing = Nanos(0);
    settings.fdb.static_entries = {{.vlan = 1, .address = station, .port = 1}};
    return settings;
}

// One burst comes to the first port for each poll, from as many strangers.
class CrowdPorts {
  public:
    CrowdPorts() {
        for (auto& octets : octets_) {
            write_address(octets.data(), station);
            write_16(octets.data() + 12, 0x88B5);
        }
    }

    [[nodiscard]] static InputSet ready() { return 0b01; }
    [[nodiscard]] static PortSet writable() { return 0b11; }
    std::size_t receive(const ReceiveQueue&, std::span<Frame> burst) {
        for (std::size_t n = 0; n < burst_size; ++n) {
            write_address(octets_[n].data() + 6, {next_stranger++});
            burst[n] = {.handle = &octets_[n], .data = octets_[n].data(), .length = frame_octets};
        }
        return burst_size;
    }
    std::size_t transmit(PortIndex, std::span<const Frame> burst) {
        arrived += burst.size();
        return burst.size();
    }
    static std::size_t edit_tags(PortIndex, std::span<Frame> frames,
                                 const std::array<uint8_t, max_priorities>&) {
        return frames.size();
    }
    static bool send(PortIndex, std::span<const uint8_t>) { std::exit(1); }  // nobody is crowded
    static void release(Released& released) { released.clear(); }
    static void free(const Frame&) {}

    uint64_t next_stranger = first_stranger;
    uint64_t arrived = 0;

  private:
    std::array<std::array<uint8_t, frame_octets>, burst_size> octets_{};
};

class Crowd {
  public:
    Crowd()
        : dataplane_(settings_of_two_ports()),
          poll_(dataplane_, dataplane_.shard(0), ports_, burst_size) {
        dataplane_.set_link(0, true);
        dataplane_.set_link(1, true);
        forget();
    }
    // Seconds an address.
    double learn() {
        forget();
        ports_.next_stranger = first_stranger;
        ports_.arrived = 0;
        const double start = bench::processor_seconds();
        for (uint32_t known = 0; known < addresses; known += burst_size) {
            now_ += Nanos(1000) * int64_t{burst_size};
            poll_(now_, slots);
        }
        const double end = bench::processor_seconds();
        lost_ += addresses - ports_.arrived + (addresses + 1 - dataplane_.fdb().size());
        return (end - start) / addresses;
    }
    [[nodiscard]] uint64_t lost() const { return lost_; }

  private:
    // All of them, and the places they had.
    void forget() {
        dataplane_.flush_fdb();
        const std::size_t turns = dataplane_.fdb().bucket_count() / 8;
        Released released;
        for (std::size_t turn = 0; turn < turns; ++turn)
            dataplane_.shard(0).housekeep(now_, released);
    }

    CrowdPorts ports_;
    Switch dataplane_;
    Poll<CrowdPorts> poll_;
    Nanos now_{1};
    uint64_t lost_ = 0;
};

}  // namespace

int main(int count, char** arguments) {
    bench::Report report(count, arguments);
    Crowd crowd;
    const double seconds = bench::median_of(9, [&] { return crowd.learn(); });
    report.add("fdb_learning", {{"addresses", addresses},
                                {"frame_bytes", frame_octets + 4},
                                {"ns", seconds * 1e9},
                                {"mpps", 1e-6 / seconds},
                                {"lost", crowd.lost()}});
}
