// A tunnel to many VTEPs over a ring: we hold the ring's other end, and are all of them.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <vector>

#include "dataplane/tunnel/encapsulator.h"
#include "pmd_glue/devices.h"
#include "pmd_glue/tunnels.h"
#include "tests/support/encapsulated.h"
#include "tests/support/octets.h"
#include "tests/unit/pmd_glue/environment.h"

namespace sluice::pmd {

class TunnelsToManyTest : public testing::Test {
  protected:
    using Octets = test::Octets;
    static constexpr Ipv4Address here{0xC000'0201};
    static constexpr PortIndex below = 0;
    static constexpr PortIndex over = 1;
    static constexpr uint32_t vni = 7;
    static constexpr uint32_t most_vteps = 300;

    static Ipv4Address vtep(uint32_t number) { return {0x0A00'0001 + number}; }
    static MacAddress router_to(uint32_t number) { return {0x0200'00AA'0000U + number}; }
    static Octets to(MacAddress station, std::size_t length = 100) {
        return test::octets_of({.to = station, .from = test::station(1), .length = length});
    }

    explicit TunnelsToManyTest(const std::vector<VlanVni>& networks = {{.vni = vni}}) {
        PortRequest request;
        request.name = "below";
        request.device = *parse_device("ring:many/a");
        request.rx_descriptors = request.tx_descriptors = 128;
        request.underlay = UnderlayAddresses{.ipv4 = here};
        underlay_ = std::move(*Port::open(request, *pool_));
        request.name = "over";
        request.device = *parse_device("vxlan:below/7");
        request.underlay = std::nullopt;
        request.tunnel = {.underlay = below,
                          .encapsulation = VxlanTunnel{{}, networks.front().vlan == 0 ? vni : 0},
                          .networks = networks,
                          .stations = 1024,
                          .learns = true};
        tunnel_ = std::move(*Port::open(request, *pool_));
        ours_ = open_port("ring:many/b", *pool_);
        Ports ports{};
        ports[below] = &underlay_->bursts();
        ports[over] = &tunnel_->bursts();
        tunnels_.use(ports);
    }
    ~TunnelsToManyTest() override {
        tunnels_.free_kept();
        ours_.reset();
        tunnel_.reset();
        underlay_.reset();
        EXPECT_EQ(pool_->available(), pool_->size()) << "buffers were lost";
    }

    void add(uint32_t count) { add(count, vteps()); }
    static void add(uint32_t count, Vteps& network) {
        for (uint32_t number = 0; number < count; ++number) {
            const auto id = network.add(vtep(number));
            network.set_flooded(*id, true);
            network.set_next_hop(*id, router_to(number));
        }
    }
    Frame frame_of(const Octets& octets) {
        std::array<Frame, 1> frame;
        EXPECT_TRUE(pool_->allocate(frame, static_cast<uint16_t>(octets.size())));
        std::ranges::copy(octets, frame[0].data);
        return frame[0];
    }
    std::size_t send(const Octets& octets) {
        const Frame frame = frame_of(octets);
        const std::size_t sent = tunnels_.transmit(over, {&frame, 1});
        if (sent == 0) free_frames(*pool_, {&frame, 1});
        return sent;
    }
    // Returns the sent frames by VTEP.
    std::multimap<uint32_t, Octets> left(std::vector<uint32_t>* vnis = nullptr) {
        std::multimap<uint32_t, Octets> by_vtep;
        std::array<Frame, max_burst> burst;
        for (std::size_t count = 1; count > 0;) {
            count = ours_->bursts().receive(burst);
            for (const Frame& frame : std::span(burst).first(count)) {
                const uint32_t number = read_32(frame.data + 30) - vtep(0).bits;
                EXPECT_EQ(read_address(frame.data), router_to(number));
                if (vnis != nullptr) vnis->push_back(read_32(frame.data + 46) >> 8);
                by_vtep.emplace(number,
                                Octets(frame.data + vxlan_octets, frame.data + frame.length));
            }
            free_frames(*pool_, std::span(burst).first(count));
        }
        return by_vtep;
    }
    // Collects frames until the flood in progress is over.
    std::multimap<uint32_t, Octets> all_left() {
        std::multimap<uint32_t, Octets> all;
        for (int turn = 0; turn < 50; ++turn) {
            tunnels_.go_on(over);
            all.merge(left());
        }
        return all;
    }
    void arrive(uint32_t from, const Octets& inner, uint32_t in = vni) {
        const Encapsulator by(VxlanTunnel{here, in}, {.mac = router_to(from), .ipv4 = vtep(from)},
                              {}, 1);
        const Frame frame = frame_of(test::encapsulated(by, inner, 0, underlay_->address()));
        ASSERT_EQ(ours_->bursts().transmit({&frame, 1}), 1U);
    }
    std::vector<Octets> received(PortIndex port) {
        std::array<Frame, max_burst> burst;
        const std::size_t count = tunnels_.receive(port, burst);
        std::vector<Octets> all;
        for (const Frame& frame : std::span(burst).first(count)) {
            all.emplace_back(frame.data, frame.data + frame.length);
        }
        free_frames(*pool_, std::span(burst).first(count));
        return all;
    }
    TunnelEnd& end() { return *tunnel_->tunnel_end(); }
    Vteps& vteps() { return (*end().bundle)[0]; }
    Vteps::Passed passed(uint32_t number) { return vteps().passed(*vteps().from(vtep(number))); }

    std::unique_ptr<Pool> pool_ = make_pool();
    std::unique_ptr<Port> underlay_;
    std::unique_ptr<Port> tunnel_;
    std::unique_ptr<Port> ours_;
    Tunnels tunnels_{*pool_};
};

}  // namespace sluice::pmd
