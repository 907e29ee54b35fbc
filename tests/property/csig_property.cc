// What must hold of a signal on its way through hops of any load:
//   worse     no hop makes it better
//   whose     its locator is that of a hop that said it, or what it came with
//   the same  all other bits of the frame are those that were sent
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "dataplane/csig/csig_output.h"
#include "tests/property/draw.h"
#include "tests/support/csig.h"

namespace sluice::property {
namespace {

using test::Octets;

CsigSettings draw_settings() {
    CsigSettings settings = test::csig_settings();
    settings.compact.d_bit = between<int>(0, 1) == 1;
    for (CsigFormSettings* form : {&settings.compact, &settings.wide}) {
        for (CsigBands& bands : form->bands) {
            bands = {wide<int64_t>(0, 1'000'000), wide<int64_t>(1, 1'000'000'000)};
        }
    }
    return settings;
}

RC_GTEST_PROP(Csig, ASignalNeverGetsBetter, ()) {
    const CsigSettings settings = draw_settings();
    const CsigTags tags(settings);
    const CsigForm form = one_of({CsigForm::compact, CsigForm::wide});
    const auto type = static_cast<CsigType>(between<int>(0, 3));
    const auto sent = wide<uint32_t>(0, form == CsigForm::compact ? 31 : 0xFFFFF);
    const int vlans = between<int>(0, 2);
    const auto at = 12 + static_cast<std::size_t>(vlans) * 4;
    Octets octets =
        test::with_tag(test::frame_of({.tags = vlans}), test::csig_tag(form, type, sent, 0), at);
    tags.write(&octets[at], form, sent, 0);
    const Octets before = octets;
    Frame frame{.data = octets.data(), .length = static_cast<uint16_t>(octets.size())};
    frame.network_offset = tags.find(octets).network;
    uint32_t value = sent;
    uint16_t locator = 0;
    for (uint16_t hop = 1; hop <= 5; ++hop) {
        CsigOutput output;
        output.configure(settings, {CsigMode::update, hop},
                         BitsPerSecond(wide<int64_t>(1'000'000, 400'000'000'000)));
        output.look(0, 0, Nanos(1));
        output.look(wide<uint64_t>(0, 1'000), wide<uint64_t>(0, 1'000'000), Nanos(200'000));
        const auto left = wide<uint32_t>(0, 100);
        output.look(0, {left, wide<uint64_t>(0, 50), Bytes(0)}, Nanos(1));
        output.look(0, {left + wide<uint32_t>(0, 60), 1, Bytes(wide<int64_t>(0, 10'000'000))},
                    Nanos(wide<int64_t>(1, 1'000'000)));
        output.update({&frame, 1});
        const CsigSignal now = tags.read(&octets[at], form);
        RC_ASSERT(!is_worse(type, value, now.value));
        RC_ASSERT(now.locator == (now.value == value ? locator : hop));
        RC_ASSERT(now.type == static_cast<uint8_t>(type));
        value = now.value;
        locator = now.locator;
    }
    tags.write(&octets[at], form, sent, 0);
    RC_ASSERT(octets == before);
}

}  // namespace
}  // namespace sluice::property
