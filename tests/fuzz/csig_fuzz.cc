// Whatever arrives where CSIG tags are known: a tag is found inside the frame or not at all, IP is
// behind it where it says, a signal that is replaced changes no other octet, and what is stripped
// is the tag alone.
// An input: an octet, whose last bit says whether compact tags have D; then the frame.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "dataplane/csig/csig_output.h"
#include "tests/fuzz/promises.h"
#include "tests/support/csig.h"

namespace {

using sluice::CsigForm;
using sluice::CsigPlace;
using sluice::CsigTags;
using sluice::test::Fenced;
using sluice::test::must;
using sluice::test::Octets;

void check_update(const sluice::CsigSettings& settings, std::span<const uint8_t> octets,
                  const CsigPlace& place) {
    Fenced fenced(octets);
    sluice::Frame frame{.data = fenced.to_write().data(),
                        .length = static_cast<uint16_t>(octets.size())};
    frame.network_offset = place.network;
    sluice::CsigOutput output;
    output.configure(settings, {sluice::CsigMode::update, 21}, sluice::BitsPerSecond(1'000'000));
    output.look(0, {.left = 0, .waiting = 1, .depth = sluice::Bytes(1 << 20)}, sluice::Nanos(1));
    output.update({&frame, 1});
    const auto from = octets.begin() + place.offset + 2;
    const auto to = octets.begin() + place.network - 2;
    const auto now = fenced.octets();
    must(std::equal(octets.begin(), from, now.begin()), "what is before a signal stays");
    must(std::equal(to, octets.end(), now.begin() + place.network - 2), "and what is behind it");
}

void check_strip(const CsigTags& tags, std::span<const uint8_t> octets, const CsigPlace& place) {
    Fenced fenced(octets);
    const std::size_t gone = sluice::octets_of(place.form);
    const uint16_t length = sluice::strip_csig(fenced.to_write(), place);
    must(length <= octets.size() && length + gone >= octets.size(), "it gets shorter by its tag");
    Octets expected(octets.begin(), octets.begin() + place.offset);
    expected.insert(expected.end(), octets.begin() + place.offset + static_cast<int>(gone),
                    octets.end());
    expected.resize(length, 0);
    const auto now = fenced.octets().first(length);
    must(std::ranges::equal(now, expected), "and by nothing else");
    must(tags.find(now).form == CsigForm::none, "there was one tag");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
    if (size < 15 || size > 0xFFFF) return 0;
    sluice::CsigSettings settings = sluice::test::csig_settings();
    settings.compact.d_bit = (data[0] & 1) != 0;
    const CsigTags tags(settings);
    const Fenced frame({data + 1, size - 1});
    const CsigPlace place = tags.find(frame.octets());
    must(place.form == CsigForm::none || place.fault == sluice::CsigFault::none,
         "a tag with a fault is none");
    Fenced trimmed(frame.octets());
    tags.mark_trimmed(trimmed.to_write());
    if (place.form == CsigForm::none) {
        must(std::ranges::equal(trimmed.octets(), frame.octets()), "nothing else is marked");
        return 0;
    }
    must(place.network + 20U <= frame.octets().size(), "IP is inside the frame");
    must(sluice::read_16(&frame.octets()[place.network - 2U]) == place.ether_type, "and is there");
    check_update(settings, frame.octets(), place);
    check_strip(tags, frame.octets(), place);
    return 0;
}
