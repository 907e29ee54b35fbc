// fdb_learning: how many new addresses a second the whole dataplane takes in on one core: bursts of
// 32 frames of 64 octets (FCS counted) whose sources nobody knows, from one port to a station of
// another, until the table of a million is full. In the figure is everything a frame needs but the
// devices: receive, match, transfer, transmit, confirm, housekeep. The clock of the switch runs at
// one frame a microsecond. Time is what the process used of the processor, median of nine. `lost`
// counts frames that did not arrive and addresses that were not kept.
#include <algorithm>
#include <array>
#include <vector>

#include "dataplane/switch.h"
#include "tests/bench/report.h"

namespace {

using namespace sluice;

constexpr std::size_t burst_size = 32;
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

class Crowd {
  public:
    Crowd() : dataplane_(settings_of_two_ports()) {
        dataplane_.set_link(0, true);
        dataplane_.set_link(1, true);
        for (auto& octets : octets_) {
            write_address(octets.data(), station);
            write_16(octets.data() + 12, 0x88B5);
        }
        forget();
    }
    // Seconds an address.
    double learn() {
        forget();
        arrived_ = 0;
        const double start = bench::processor_seconds();
        for (uint32_t known = 0; known < addresses; known += burst_size) burst(known);
        const double end = bench::processor_seconds();
        lost_ += addresses - arrived_ + (addresses + 1 - dataplane_.fdb().size());
        return (end - start) / addresses;
    }
    [[nodiscard]] uint64_t lost() const { return lost_; }

  private:
    void burst(uint32_t known) {
        std::array<Frame, burst_size> frames;
        for (std::size_t n = 0; n < burst_size; ++n) {
            write_address(octets_[n].data() + 6, {first_stranger + known + n});
            frames[n] = {.handle = &octets_[n], .data = octets_[n].data(), .length = frame_octets};
        }
        now_ += Nanos(1000) * int64_t{burst_size};
        dataplane_.shard_of(0).receive(0, frames, now_, released_);
        released_.clear();
        for (int slot = 0; slot < 8 && dataplane_.shard(0).match() > 0; ++slot)
            dataplane_.shard(0).transfer();
        const std::size_t sent = dataplane_.shard_of(1).transmit(1, frames, now_);
        dataplane_.shard_of(1).confirm(1, frames, sent);
        arrived_ += sent;
        dataplane_.shard(0).housekeep(now_, released_);
    }
    // All of them, and the places they had.
    void forget() {
        dataplane_.flush_fdb();
        const std::size_t turns = dataplane_.fdb().bucket_count() / 8;
        for (std::size_t turn = 0; turn < turns; ++turn)
            dataplane_.shard(0).housekeep(now_, released_);
    }

    Switch dataplane_;
    std::array<std::array<uint8_t, frame_octets>, burst_size> octets_{};
    Nanos now_{1};
    Released released_;
    uint64_t arrived_ = 0;
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
