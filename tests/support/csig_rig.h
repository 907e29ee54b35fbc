// CSIG through a rig: frames with tags, and a switch whose port 1 updates tags and whose port 2
// strips tags.
#pragma once

#include "dataplane/egress/dscp.h"
#include "tests/support/csig.h"
#include "tests/support/rig.h"

namespace sluice::test {

inline constexpr uint8_t csig_dscp = 10;  // a DSCP of priority 4

inline Octets without_csig(std::size_t payload = 200) {
    Octets octets = frame_of({.is_tcp = false, .payload = payload});
    write_dscp(&octets[14], csig_dscp);
    return octets;
}
inline Octets with_csig(CsigForm form, CsigType type, uint32_t value, std::size_t payload = 200) {
    return with_tag(without_csig(payload), csig_tag(form, type, value, 1));
}
inline Octets towards(PortIndex port, Octets octets) {
    write_address(octets.data(), station(port));
    return octets;
}

// The locator of port 1 is 5.
inline Settings csig_switch(uint8_t workers = 1) {
    Settings settings = settings_of(3, workers);
    settings.csig = csig_settings();
    settings.ports[1].csig = {CsigMode::update, 5};
    settings.ports[2].csig.mode = CsigMode::strip;
    for (PortSettings& port : settings.ports) port.classify.dscp_to_priority[csig_dscp] = 4;
    return settings;
}

}  // namespace sluice::test
