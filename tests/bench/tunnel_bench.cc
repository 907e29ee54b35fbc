// tunnel: what a frame costs more where it goes into a tunnel, and where it comes out of one, than
// where it goes by the port below as it is; and one that comes by that and is no tunnel's. A burst
// goes round a ring that is a loop, as it is and by the tunnel in turns; both are timed apart, each
// way, for each kind of tunnel. Frames are of UDP, of a flow each; 64 octets with FCS and 1518.
// Figures are medians of rounds that nobody disturbed (pace.h).
#include <algorithm>
#include <array>
#include <cstdlib>
#include <functional>
#include <memory>
#include <vector>

#include "pmd_glue/eal.h"
#include "pmd_glue/pool.h"
#include "pmd_glue/port.h"
#include "pmd_glue/tunnels.h"
#include "tests/bench/crossed_rings.h"
#include "tests/bench/pace.h"
#include "tests/bench/report.h"

namespace {

using namespace sluice;

constexpr Ipv4Address both_ends{0xC000'0201};
constexpr Ipv6Address both_ends6{{0x20, 1, 0x0D, 0xB8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}};
constexpr Ipv6Address sid{{0x20, 1, 0x0D, 0xB8, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xD2}};
constexpr uint32_t label = 100;

struct Kind {
    const char* name;
    const char* device;
    Encapsulation encapsulation;
    uint16_t vlan = 0;  // of the port below
    VlanId inside = 0;  // of frames, where that names their network
};
constexpr std::size_t vteps = 512;  // of the tunnel to many, one of which frames go to
const std::array<Kind, 8> kinds = {
    Kind{"vxlan", "vxlan:below/192.0.2.1/1", VxlanTunnel{both_ends, 1}},
    Kind{"vxlan to many", "vxlan:below/1", VxlanTunnel{{}, 1}},
    Kind{"vxlan to many by vlan", "vxlan:below", VxlanTunnel{}, 0, 10},
    Kind{"vxlan with a tag", "vxlan:below/192.0.2.1/1", VxlanTunnel{both_ends, 1}, 77},
    Kind{"vxlan over ipv6", "vxlan:below/2001:db8::1/1", Vxlan6Tunnel{both_ends6, 1}},
    Kind{"srv6", "srv6:below/2001:db8:1::d2",
         Srv6Tunnel{.segments = {sid}, .count = 1, .local_sid = sid}},
    Kind{"srv6 with its header", "srv6:below/2001:db8:1::d2",
         Srv6Tunnel{.segments = {sid}, .count = 1, .reduced = false, .local_sid = sid}},
    Kind{"mpls", "mpls:below/100",
         MplsTunnel{.labels = {label}, .count = 1, .local_label = label}}};
constexpr PortIndex below = 0;
constexpr PortIndex over = 1;
constexpr std::size_t burst_size = 32;

std::unique_ptr<pmd::Port> open_below(pmd::Pool& pool, uint16_t vlan) {
    pmd::PortRequest request;
    request.name = "below";
    request.device = *pmd::parse_device("ring:tunnel_bench");
    request.underlay = UnderlayAddresses{.ipv4 = both_ends, .ipv6 = both_ends6, .vlan = vlan};
    return bench::require(pmd::Port::open(request, pool));
}

std::unique_ptr<pmd::Port> open_over(pmd::Pool& pool, const Kind& kind) {
    pmd::PortRequest request;
    request.name = "over";
    request.device = *pmd::parse_device(kind.device);
    std::vector<VlanVni> networks;
    if (leads_to_many(kind.encapsulation)) networks.push_back({kind.inside, 1});
    request.tunnel = {.underlay = below,
                      .encapsulation = kind.encapsulation,
                      .networks = networks,
                      .stations = 16384,
                      .learns = true};
    return bench::require(pmd::Port::open(request, pool));
}

void write_udp(Frame& frame, uint16_t flow, VlanId vlan) {
    std::fill_n(frame.data, frame.length, uint8_t{0});
    write_address(frame.data, {0x0200'0000'0101});
    write_address(frame.data + 6, {0x0200'0000'0102});
    if (vlan != 0) {
        write_16(frame.data + 12, 0x8100);
        write_16(frame.data + 14, vlan);
        frame.data += 4;  // what follows is behind the tag
        frame.length = static_cast<uint16_t>(frame.length - 4);
    }
    write_16(frame.data + 12, 0x0800);
    frame.data[14] = 0x45;
    write_16(frame.data + 16, static_cast<uint16_t>(frame.length - 14));
    frame.data[23] = 17;
    write_32(frame.data + 26, 0x0A00'0001);
    write_32(frame.data + 30, 0x0A00'0002);
    write_16(frame.data + 34, flow);
    if (vlan != 0) {
        frame.data -= 4;
        frame.length = static_cast<uint16_t>(frame.length + 4);
    }
}

// What a burst takes, each way, in cycles a frame.
struct Costs {
    bench::Rounds out;
    bench::Rounds in;
};

class Loop {
  public:
    Loop(pmd::Pool& pool, const Kind& kind, uint16_t octets)
        : pool_(pool),
          below_(open_below(pool, kind.vlan)),
          over_(open_over(pool, kind)),
          tunnels_(pool) {
        pmd::Ports ports{};
        ports[below] = &below_->bursts();
        ports[over] = &over_->bursts();
        tunnels_.use(ports);
        over_->tunnel_end()->set_next_hop(below_->address());
        if (Bundle* const bundle = over_->tunnel_end()->bundle.get()) know((*bundle)[0]);
        if (!pool.allocate(burst_, octets)) std::exit(1);
        uint16_t flow = 0;
        for (Frame& frame : burst_) {
            write_udp(frame, ++flow, kind.inside);
            frame.priority = 0;
        }
    }
    ~Loop() {
        std::array<void*, burst_size> handles;
        std::ranges::transform(burst_, handles.begin(), &Frame::handle);
        pool_.free(handles);
    }

    // The station that frames are for, and others.
    void know(Vteps& many) {
        for (uint32_t number = 0; number < vteps; ++number) {
            const auto id = many.add({both_ends.bits + number});
            if (!id) std::exit(1);
            many.set_next_hop(*id, below_->address());
            many.learn({0x0200'0000'0101U + number * 0x100U}, *id);
        }
    }

    void as_it_is(Costs& costs) {
        round(
            costs, [&](std::span<const Frame> out) { return below_->bursts().transmit(out); },
            [&](std::span<Frame> in) { return below_->bursts().receive(in); });
    }
    // What is no tunnel's.
    void past_the_tunnel(Costs& costs) {
        round(
            costs, [&](std::span<const Frame> out) { return below_->bursts().transmit(out); },
            [&](std::span<Frame> in) { return tunnels_.receive(below, in); });
    }
    void by_the_tunnel(Costs& costs) {
        round(
            costs, [&](std::span<const Frame> out) { return tunnels_.transmit(over, out); },
            [&](std::span<Frame> in) { return tunnels_.receive(over, in); });
    }

  private:
    template <class Transmit, class Receive>
    void round(Costs& costs, Transmit transmit, Receive receive) {
        constexpr std::size_t bursts = 300;
        const double before = bench::pace_now();
        uint64_t out = 0;
        uint64_t in = 0;
        for (std::size_t burst = 0; burst < bursts; ++burst) {
            const uint64_t start = bench::cycles();
            const std::size_t sent = transmit(burst_);
            const uint64_t between = bench::cycles();
            const std::size_t came = receive(burst_);
            in += bench::cycles() - between;
            out += between - start;
            if (sent != burst_size || came != burst_size) std::exit(1);
        }
        const double pace = std::max(before, bench::pace_now());
        constexpr auto frames = static_cast<double>(bursts * burst_size);
        costs.out.add(static_cast<double>(out) / frames, pace);
        costs.in.add(static_cast<double>(in) / frames, pace);
    }

    pmd::Pool& pool_;
    std::unique_ptr<pmd::Port> below_;
    std::unique_ptr<pmd::Port> over_;
    pmd::Tunnels tunnels_;
    std::array<Frame, burst_size> burst_;
};

void measure(bench::Report& report, pmd::Pool& pool, const Kind& kind, uint16_t octets) {
    Loop loop(pool, kind, octets);
    Costs plain;
    Costs past;
    Costs tunnelled;
    for (std::size_t round = 0; round < 400; ++round) {
        loop.as_it_is(plain);
        loop.past_the_tunnel(past);
        loop.by_the_tunnel(tunnelled);
    }
    const auto add = [&](const char* way, const bench::Rounds& with, const bench::Rounds& without) {
        nlohmann::ordered_json fields{{"encapsulation", kind.name},
                                      {"way", way},
                                      {"frame_bytes", octets + 4},
                                      {"cycles_per_frame", with.figure() - without.figure()},
                                      {"as_it_is", without.figure()}};
        with.tell(fields);
        report.add("tunnel", std::move(fields));
    };
    add("in", tunnelled.out, plain.out);
    add("out", tunnelled.in, plain.in);
    add("past", past.in, plain.in);
}

}  // namespace

int main(int count, char** arguments) {
    bench::Report report(count, arguments);
    const pmd::PoolRequest request{.buffers = 4096, .max_frame = Bytes(1600)};
    const auto eal = bench::require(pmd::Eal::start(
        {.worker_cpus = {pmd::usable_cpus().front()}, .memory = pmd::Pool::memory_for(request)}));
    const auto pool = bench::require(pmd::Pool::create(request));
    constexpr std::array<uint16_t, 2> lengths = {60, 1514};
    for (const Kind& kind : kinds) {
        for (const uint16_t octets : lengths) measure(report, *pool, kind, octets);
    }
}
