// DcbxFrame: octets of a fuzz target as the organisational TLVs of one frame: of each a header of
// seven bits and nine, OUI, subtype and payload, as on the wire; a length beyond the end is cut.
// And what every codec promises of them: what was read can be written, and reads the same.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <vector>

#include "control/dcbx/fault.h"
#include "control/dcbx/model.h"
#include "control/lldp/organisational.h"
#include "dataplane/types/address.h"

namespace sluice::test {

inline std::vector<lldp::OrganisationalTlv> dcbx_frame(std::span<const uint8_t> octets) {
    constexpr std::size_t before_payload = 6;
    std::vector<lldp::OrganisationalTlv> tlvs;
    while (octets.size() >= before_payload) {
        const std::size_t length = std::max<std::size_t>(read_16(octets.data()) & 0x1FFU, 4);
        const auto tlv = octets.first(std::min(octets.size(), length + 2));
        tlvs.push_back({static_cast<uint32_t>(tlv[2] << 16 | tlv[3] << 8 | tlv[4]),
                        tlv[5],
                        {tlv.begin() + before_payload, tlv.end()}});
        octets = octets.subspan(tlv.size());
    }
    return tlvs;
}

inline void require(bool holds) {
    if (!holds) std::abort();
}

template <class Read, class Write>
void reads_what_it_writes(std::span<const uint8_t> octets, Read read, Write write) {
    dcbx::FaultCounters faults;
    const auto frame = dcbx_frame(octets);
    const dcbx::Advertisement said = read(frame, faults);
    if (said.ets) {
        for (const uint8_t number : said.ets->parameter.class_of) {
            require(number < dcbx::traffic_classes);
        }
    }
    const auto written = write(said);
    for (const auto& tlv : written) require(tlv.payload.size() <= lldp::longest_organisational);
    dcbx::FaultCounters none;
    require(read(written, none) == said);
    require(none.total() == 0);
    require(faults.total() <= octets.size());
}

}  // namespace sluice::test
