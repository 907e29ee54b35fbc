// CsigStart: the tag for congestion signalling with which a host sends a frame: its TPID, the
// requested type of signal, and the best possible value, so that no hop's value is better. Switches
// replace the value (dataplane/csig/csig_output.h), and the receiver reads it. Only hosts add tags,
// so the dataplane has only the layout (dataplane/csig/csig_tag.h).
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "dataplane/csig/csig_tag.h"
#include "dataplane/types/address.h"

namespace sluice::sim {

struct CsigStart {
    std::array<uint8_t, 8> octets{};
    uint8_t length = 0;  // 0 if the host adds no tag

    [[nodiscard]] std::span<const uint8_t> tag() const { return std::span(octets).first(length); }
};

inline CsigStart csig_start(const CsigSettings& settings, CsigForm form, CsigType type) {
    const CsigTags tags(settings);
    CsigStart start{.length = static_cast<uint8_t>(octets_of(form))};
    const auto number = static_cast<uint8_t>(type);
    const bool compact = form == CsigForm::compact;
    write_16(start.octets.data(), tags.settings(form).tpid);
    start.octets[compact ? 2 : 4] = static_cast<uint8_t>(number << (compact ? 5 : 4));
    const uint32_t last = compact ? 0x1F : 0xFFFFF;
    tags.write(start.octets.data(), form, is_worse(type, 0, last) ? last : 0, 0);
    return start;
}

}  // namespace sluice::sim
