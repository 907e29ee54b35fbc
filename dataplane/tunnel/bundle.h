// Bundle: holds the virtual networks of a tunnel to many VTEPs: one, or one for each of several
// VLANs (a VLAN-aware bundle, RFC 7432 6.3, RFC 8365 5.1.3). Each has VTEPs and stations of its own
// (vteps.h), so that an address may be behind one VTEP in VLAN 10 and behind another in VLAN 20.
//
// With several networks, the VLAN of a sent frame selects the network, and the network of a
// received frame determines its VLAN. The carried frame has no tag (RFC 7348 6.1): pmd_glue/tunnels
// removes the tag before sending and adds it after reception.
// Bound: `most` networks; a lookup by VLAN reads one word, a lookup by VNI is a binary search. The
// constructor allocates all memory; the networks never change.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "dataplane/tunnel/vteps.h"
#include "dataplane/types/limits.h"

namespace sluice {

class Bundle {
  public:
    static constexpr std::size_t most = 256;
    // The most stations of all networks together.
    static constexpr std::size_t most_stations = std::size_t{1} << 20;

    // `networks`: one whose VLAN is 0 and which carries frames unchanged, or up to `most` with
    // different VLANs and VNIs. `stations`: capacity of each network; it is reduced if all networks
    // together would exceed `most_stations`. `learns`, `seed`: see Vteps.
    Bundle(std::span<const VlanVni> networks, std::size_t stations, bool learns, uint64_t seed);

    // Whether the VLAN of a frame selects its network.
    [[nodiscard]] bool is_by_vlan() const { return !by_vlan_.empty(); }
    [[nodiscard]] std::size_t count() const { return networks_.size(); }
    [[nodiscard]] Vteps& operator[](std::size_t network) const {
        assert(network < networks_.size());
        return *networks_[network];
    }
    // Returns the number of VTEPs of all networks.
    [[nodiscard]] std::size_t vteps() const;

    // Returns null if the VLAN has no network.
    [[nodiscard]] Vteps* of_vlan(VlanId vlan) const {
        if (!is_by_vlan()) return networks_[0].get();
        const uint16_t place = by_vlan_[vlan % by_vlan_.size()];
        return place < networks_.size() ? networks_[place].get() : nullptr;
    }
    [[nodiscard]] Vteps* of_vni(uint32_t vni) const {
        const auto place = place_of(vni);
        return place ? networks_[*place].get() : nullptr;
    }
    [[nodiscard]] std::optional<uint8_t> place_of(uint32_t vni) const {
        if (!is_by_vlan()) {
            return networks_[0]->network().vni == vni ? std::optional(uint8_t{0}) : std::nullopt;
        }
        const auto at = std::ranges::lower_bound(by_vni_, vni, {}, &ByVni::vni);
        return at != by_vni_.end() && at->vni == vni ? std::optional(at->place) : std::nullopt;
    }

  private:
    static constexpr std::size_t vlans = 4096;
    struct ByVni {
        uint32_t vni = 0;
        uint8_t place = 0;
    };

    std::vector<std::unique_ptr<Vteps>> networks_;
    std::vector<uint16_t> by_vlan_;  // index in `networks_`; empty if there is one network
    std::vector<ByVni> by_vni_;      // sorted by VNI
};

// Makes `remotes` the VTEPs of each network. Frames are flooded to all of them.
void keep_remotes(Bundle& bundle, std::span<const Ipv4Address> remotes);

}  // namespace sluice
