// CreditLink: two switches by hand, a and b, and a cable by credit between port 1 of a and port 0
// of b, where LLDP says of each that it goes by it.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <vector>

#include "dataplane/credits/credit_buffer.h"
#include "tests/support/lossless.h"
#include "tests/support/octets.h"
#include "tests/support/rig.h"

namespace sluice::test {

using namespace literals;

// Priority 3 has room for 16 frames of a cell each, in the headroom; as long as that is by PFC,
// XOFF is 8 of them.
inline Settings credit_settings(PortIndex by_credit, Bytes headroom = Bytes(8 * 1024)) {
    Settings settings = lossless_settings();
    PortSettings& port = settings.ports[by_credit];
    port.flow_control = FlowControl::credit;
    port.credit = {.buffer = 4_KiB, .quantum = 1_KiB, .refresh = 1_ms};
    port.pfc.headroom = headroom;
    port.pfc.reserved = credit_reserve_for(
        port.credit.buffer, {.longest = settings.buffer.cell, .cell = settings.buffer.cell}, 0_B,
        headroom);
    port.pfc.xoff = 2_KiB;
    port.pfc.xon = 1_KiB;
    return settings;
}

class CreditLinkTest : public testing::Test {
  protected:
    explicit CreditLinkTest(const Settings& of_a = credit_settings(1),
                            const Settings& of_b = credit_settings(0))
        : a(of_a), b(of_b) {
        a.ports.on_sent = [this](PortIndex output, const Frame& frame) {
            if (output != 1) return;
            Octets& octets = wire_.emplace_back(frame.data, frame.data + frame.length);
            octets.resize(std::max<std::size_t>(octets.size(), 60));  // as a device fills it up
        };
        a.dataplane.set_credit_peer(1, CreditPeer::able, 0);
        b.dataplane.set_credit_peer(0, CreditPeer::able, 0);
        housekeep();
    }
    void housekeep() {
        a.housekeep();
        b.housekeep();
    }
    void wait(Nanos time) {
        a.now += time;
        b.now += time;
    }
    // Sends the update that is due. False: none was.
    static bool update(Rig& from, PortIndex by, Rig& to, PortIndex at) {
        const Octets octets = from.send_credit_update(by);
        if (!octets.empty()) to.receive(at, {octets});
        return !octets.empty();
    }
    // Both ends send updates until none is due.
    void settle() {
        for (int turn = 0; turn < 20; ++turn) {
            const bool of_a = update(a, 1, b, 0);
            const bool of_b = update(b, 0, a, 1);
            if (!of_a && !of_b) return;
        }
        ADD_FAILURE() << "they never settle";
    }
    // All that a may send comes to b, and stays there.
    void pass() {
        for (bool more = true; more;) {
            while (a.slot() > 0) continue;
            more = a.transmit(1) > 0;
        }
        while (!wire_.empty()) {
            const auto count = static_cast<std::ptrdiff_t>(std::min(wire_.size(), max_burst));
            b.receive(0, {wire_.begin(), wire_.begin() + count});
            wire_.erase(wire_.begin(), wire_.begin() + count);
        }
    }
    void lose_link_for(Nanos time) {
        a.dataplane.set_link(1, false);
        b.dataplane.set_link(0, false);
        housekeep();
        wait(time);
        a.dataplane.set_link(1, true);
        b.dataplane.set_link(0, true);
        housekeep();
    }
    [[nodiscard]] Bytes credit() {
        return a.dataplane.shard_of(1).credit(1).end.sender().credit(3);
    }
    [[nodiscard]] Bytes held_by_b() const {
        const IngressPriorityGroup& group = b.dataplane.ingress(0).group(3);
        return group.used() + group.headroom();
    }
    [[nodiscard]] CreditState state_of_a() const { return a.dataplane.credit(1).state(); }
    [[nodiscard]] CreditState state_of_b() const { return b.dataplane.credit(0).state(); }

    // a's, where its port goes by PFC.
    static Settings by_pfc() {
        Settings settings = credit_settings(1);
        settings.ports[1].flow_control = FlowControl::pfc;
        return settings;
    }
    // An update to a from another sender, or in b's name, with a's session and `limit` octets of
    // credit.
    Octets stray_update(uint32_t session, CreditCount limit, MacAddress from = station(8)) {
        std::array<uint8_t, longest_credit_update> octets;
        CreditUpdate update{.session = session,
                            .peer_session = a.dataplane.shard_of(1).credit(1).end.update().session,
                            .terms = {.lossless = three, .buffer = 1_MiB, .cell = 256_B},
                            .on_credit = true,
                            .counts = true,
                            .present = three};
        update.limits[3] = limit;
        const std::size_t length = write_credit_update(octets, from, update);
        return {octets.begin(), octets.begin() + static_cast<std::ptrdiff_t>(length)};
    }

    Rig a;
    Rig b;

  private:
    std::vector<Octets> wire_;
};

}  // namespace sluice::test
