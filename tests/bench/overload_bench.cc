// overload: the dataplane on one core when each output is wanted by three inputs, for as long as it
// lasts: every poll each input has a burst, spread over three outputs, and a device takes a third
// of one. What is in the figure: the worker's poll (dataplane/poll.h) over ports in memory that
// always have frames, a cycle for each frame that came, whether it left or was dropped over its
// threshold. What is not: devices, buffers. With `fabric.bypass` and without, in turns; `ratio` is
// to without.
#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "dataplane/ledger.h"
#include "dataplane/poll.h"
#include "tests/bench/bypass_share.h"
#include "tests/bench/pace.h"
#include "tests/bench/report.h"

namespace {

using namespace sluice;

constexpr std::size_t burst_size = 33;
constexpr std::size_t wanted_by = 3;
constexpr uint16_t frame_octets = 60;
constexpr std::size_t frames_an_input = 264;  // whose octets are read again and again

constexpr MacAddress address_of(std::size_t port) { return {uint64_t{0x0200'0000'0100} + port}; }

// Every input has a burst at each poll, and a device takes as much as it is fair to send.
class CrowdedPorts {
  public:
    explicit CrowdedPorts(std::size_t ports) : frames_(ports) {
        for (std::size_t input = 0; input < ports; ++input) {
            for (std::size_t n = 0; n < frames_an_input; ++n) {
                auto& octets = frames_[input][n];
                write_address(octets.data(), address_of((input + 1 + n % wanted_by) % ports));
                write_address(octets.data() + 6, address_of(input));
                write_16(octets.data() + 12, 0x88B5);
            }
        }
    }

    [[nodiscard]] static InputSet ready() { return ~InputSet{0}; }
    [[nodiscard]] PortSet writable() const { return writable_; }
    std::size_t receive(const ReceiveQueue& from, std::span<Frame> burst) {
        auto& frames = frames_[from.port];
        std::size_t& next = next_[from.port];
        for (Frame& frame : burst.first(burst_size)) {
            auto& octets = frames[next];
            frame = {.handle = &octets, .data = octets.data(), .length = frame_octets};
            next = next + 1 == frames_an_input ? 0 : next + 1;
        }
        return burst_size;
    }
    std::size_t transmit(PortIndex port, std::span<const Frame> burst) {
        writable_ &= ~only(port);
        return std::min(burst.size(), burst_size / wanted_by);
    }
    static std::size_t edit_tags(PortIndex, std::span<Frame> frames,
                                 const std::array<uint8_t, max_priorities>&) {
        return frames.size();
    }
    static bool send(PortIndex, std::span<const uint8_t>) { return true; }
    static void release(Released& released) { released.clear(); }
    static void free(const Frame&) {}

    void next_poll() { writable_ = ~PortSet{0}; }

  private:
    std::vector<std::array<std::array<uint8_t, 64>, frames_an_input>> frames_;
    std::array<std::size_t, max_ports> next_{};
    PortSet writable_ = 0;
};

class Overload {
  public:
    Overload(std::size_t ports, bool bypass)
        : dataplane_(settings_of(ports, bypass)),
          ports_(ports),
          poll_(dataplane_, dataplane_.shard(0), ports_) {
        for (PortIndex port = 0; port < ports; ++port) dataplane_.set_link(port, true);
        round(1000);  // until queues are as long as they get
    }
    // Cycles a frame.
    double round(std::size_t polls) {
        const uint64_t start = bench::cycles();
        uint64_t frames = 0;
        for (std::size_t n = 0; n < polls; ++n) {
            ports_.next_poll();
            now_ += Nanos(1000);
            frames += poll_(now_, 8).received;
        }
        return static_cast<double>(bench::cycles() - start) / static_cast<double>(frames);
    }
    [[nodiscard]] double bypass_share() const { return bench::bypass_share(dataplane_); }
    [[nodiscard]] double dropped_share() const {
        const Ledger sum = ledger_of(dataplane_);
        return static_cast<double>(sum.dropped) / static_cast<double>(sum.received);
    }

  private:
    static Settings settings_of(std::size_t ports, bool bypass) {
        Settings settings;
        settings.ports.resize(ports);
        settings.fabric.bypass = bypass;
        for (PortIndex port = 0; port < ports; ++port) {
            settings.fdb.static_entries.push_back(
                {.vlan = 1, .address = address_of(port), .port = port});
        }
        return settings;
    }

    Switch dataplane_;
    CrowdedPorts ports_;
    Poll<CrowdedPorts> poll_;
    Nanos now_{1};
};

void measure(bench::Report& report, std::size_t ports) {
    std::array<std::unique_ptr<Overload>, 2> switches;
    std::array<bench::Rounds, 2> costs;
    for (std::size_t bypass = 0; bypass < 2; ++bypass) {
        switches[bypass] = std::make_unique<Overload>(ports, bypass == 1);
    }
    for (int round = 0; round < 400; ++round) {
        for (std::size_t bypass = 0; bypass < 2; ++bypass) {
            switches[bypass]->round(20);  // with the caches as it leaves them
            costs[bypass].add([&] { return switches[bypass]->round(400 / ports); });
        }
    }
    for (std::size_t bypass = 0; bypass < 2; ++bypass) {
        nlohmann::ordered_json fields = {{"ports", ports},
                                         {"frame_bytes", frame_octets + 4},
                                         {"workers", 1},
                                         {"bypass", bypass == 1},
                                         {"cycles_per_frame", costs[bypass].figure()},
                                         {"ratio", costs[bypass].figure() / costs[0].figure()},
                                         {"bypass_share", switches[bypass]->bypass_share()},
                                         {"dropped_share", switches[bypass]->dropped_share()}};
        costs[bypass].tell(fields);
        report.add("overload", std::move(fields));
    }
}

}  // namespace

int main(int count, char** arguments) {
    bench::Report report(count, arguments);
    for (const std::size_t ports : {4U, 8U, 16U}) measure(report, ports);
}
