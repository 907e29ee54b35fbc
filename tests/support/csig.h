// CSIG tags for tests: frames with a tag before their IP header, and settings that know the tags.
#pragma once

#include "dataplane/csig/csig_tag.h"
#include "tests/support/segments.h"

namespace sluice::test {

inline constexpr uint16_t compact_tpid = 0x9900;  // the TPID of FBOSS's test vector
inline constexpr uint16_t wide_tpid = 0x9901;

inline CsigSettings csig_settings() {
    CsigSettings settings;
    settings.compact.tpid = compact_tpid;
    settings.wide.tpid = wide_tpid;
    // Compact: steps of 1 Gbit/s, 1/32 of the link, and 10 us; wide: finer steps.
    settings.compact.bands = {{{0, 1'000'000'000}, {0, 2048}, {0, 10'000}, {0, 10'000}}};
    settings.wide.bands = {{{0, 1'000'000}, {0, 1}, {0, 100}, {0, 100}}};
    return settings;
}

inline Octets csig_tag(CsigForm form, CsigType type, uint32_t value, uint16_t locator = 0) {
    Octets tag(octets_of(form));
    const CsigTags tags(csig_settings());
    write_16(tag.data(), form == CsigForm::compact ? compact_tpid : wide_tpid);
    const auto number = static_cast<uint32_t>(type);
    if (form == CsigForm::compact) {
        write_16(&tag[2], static_cast<uint16_t>(number << 13));
    } else {
        write_32(&tag[4], number << 28);
    }
    tags.write(tag.data(), form, value, locator);
    return tag;
}

// Inserts a tag before the EtherType at octet `at`.
inline Octets with_tag(Octets frame, const Octets& tag, std::size_t at = 12) {
    frame.insert(frame.begin() + static_cast<std::ptrdiff_t>(at), tag.begin(), tag.end());
    return frame;
}

}  // namespace sluice::test
