// Whatever speaks where, and whatever is forgotten meanwhile: who may speak, and where everybody
// is, is as a plain map of addresses says, under each policy for moves, for a full table and for
// sticky ports.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <utility>

#include "dataplane/forward/forwarding.h"
#include "tests/property/draw.h"

namespace sluice::property {
namespace {

constexpr std::size_t ports = 4;
constexpr uint32_t capacity = 64;

Settings draw_policies() {
    Settings settings;
    settings.ports.resize(ports);
    settings.fdb.capacity = capacity;
    settings.fdb.ageing = Nanos(0);
    settings.fdb.moves = one_of({Moves::follow, Moves::refuse});
    settings.fdb.when_full = one_of({WhenFull::flood, WhenFull::drop});
    for (PortSettings& port : settings.ports) port.sticky = between<int>(0, 2) == 2;
    settings.vlan.unlearned[2] = between<int>(0, 1) == 1;
    return settings;
}

class Model {
  public:
    using Station = std::pair<VlanId, unsigned>;

    explicit Model(Settings settings) : settings_(std::move(settings)), forwarding_(settings_) {
        sweep();  // sees that there are links
    }

    void speak(PortIndex port, Station who) {
        Frame frame{};
        frame.set_input(port);
        frame.vlan = who.first;
        Headers headers;
        headers.source = test::station(who.second);
        headers.destination = test::broadcast;
        const auto probes =
            forwarding_.shard(0).prepare(FormatFamily::ethernet, true, frame, headers, {});
        RC_ASSERT(forwarding_.shard(0).accept(frame, probes.source, 0) == expected(port, who));
    }
    void forget_vlan(VlanId vlan) {
        forwarding_.flush_orders().vlan(vlan);
        sweep();
        std::erase_if(where_, [&](const auto& entry) { return entry.first.first == vlan; });
    }
    void forget_port(PortIndex port) {
        forwarding_.flush_orders().port(port);
        sweep();
        std::erase_if(where_, [&](const auto& entry) { return entry.second == port; });
    }
    void lose_link(PortIndex port) {
        links_ &= ~only(port);
        sweep();
        links_ |= only(port);
        sweep();
        if (settings_.ports[port].sticky) return;
        std::erase_if(where_, [&](const auto& entry) { return entry.second == port; });
    }
    void adopt(const Settings& settings) {
        settings_ = settings;
        forwarding_.shard(0).adopt(settings);
    }
    void check() const {
        std::map<Station, PortIndex> found;
        forwarding_.fdb().for_each([&](const FdbEntry& entry) {
            const auto host = static_cast<unsigned>(entry.address.bits - test::station(0).bits);
            found.emplace(Station{entry.vlan, host}, entry.port);
        });
        RC_ASSERT(found == where_);
    }

  private:
    Drop expected(PortIndex port, Station who) {
        const auto known = where_.find(who);
        if (known != where_.end() && known->second != port) {
            const bool keeps =
                settings_.fdb.moves == Moves::refuse || settings_.ports[known->second].sticky;
            if (keeps) return Drop::moved_source;
        }
        // Seen in the same epoch at the same port: there is nothing to write.
        if (known != where_.end() && known->second == port) return Drop::none;
        if (settings_.vlan.unlearned[who.first]) return Drop::none;
        if (known == where_.end() && where_.size() >= capacity) {
            return settings_.fdb.when_full == WhenFull::drop ? Drop::fdb_full : Drop::none;
        }
        where_[who] = port;
        return Drop::none;
    }
    void sweep() {
        for (std::size_t turn = 0; turn <= forwarding_.fdb().bucket_count() / 8; ++turn) {
            forwarding_.housekeep(links_, Nanos(0));
        }
    }

    Settings settings_;
    Forwarding forwarding_;
    PortSet links_ = first_ports(ports);
    std::map<Station, PortIndex> where_;
};

RC_GTEST_PROP(Learning, IsAsAPlainMapSays, ()) {
    Model model(draw_policies());
    const auto steps = between<int>(1, 400);
    for (int step = 0; step < steps; ++step) {
        const auto port = between<PortIndex>(0, ports - 1);
        const auto vlan = between<VlanId>(1, 3);
        switch (between<int>(0, 40)) {
            case 37:
                model.forget_vlan(vlan);
                break;
            case 38:
                model.forget_port(port);
                break;
            case 39:
                model.lose_link(port);
                break;
            case 40:
                model.adopt(draw_policies());
                break;
            default:
                model.speak(port, {vlan, between<unsigned>(0, 40)});
        }
    }
    model.check();
}

}  // namespace
}  // namespace sluice::property
