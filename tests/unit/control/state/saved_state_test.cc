#include "control/state/saved_state.h"

#include <gtest/gtest.h>

#include "control/state/checksum.h"

namespace sluice::control {
namespace {

SavedState some_state() {
    SavedState state{.saved_at = 1'764'036'000, .places = {}, .fdb = {}, .counters = {}};
    const std::size_t port = state.place_of({"p0", "af_packet:a"});
    const std::size_t up = state.place_of({"up", ""});
    state.fdb = {
        {port, FormatFamily::ethernet, 1, {{{0x0200'0000'0001}, 12}, {{0x0200'0000'0002}, 0}}},
        {up, FormatFamily::afh_16, 4094, {{{0xFFFF}, 0xFFFF'FFFF}}}};
    state.counters = {{port, {{"ports.rx_frames", {12, 3}}, {"drops.ingress.malformed", {1, 1}}}}};
    return state;
}

std::string refusal_of(std::string_view text) {
    const auto read = SavedState::read(text);
    return read ? "" : read.error();
}

// Returns the state as an older sluiced wrote it.
std::string without_checksum(const SavedState& state) {
    std::string text = state.text();
    text.erase(1, text.find(',')).replace(text.find(R"("version":2)"), 11, R"("version":1)");
    return text;
}

// Returns the text of `some_state` with one part replaced.
std::string with(std::string_view part, std::string_view other) {
    std::string text = without_checksum(some_state());
    const std::size_t at = text.find(part);
    EXPECT_NE(at, std::string::npos) << part;
    return text.replace(at, part.size(), other);
}

TEST(SavedState, ReadsWhatItWrote) {
    const auto read = SavedState::read(some_state().text());
    ASSERT_TRUE(read);
    EXPECT_EQ(*read, some_state());
    EXPECT_EQ(*SavedState::read(SavedState{}.text()), SavedState{});
}

TEST(SavedState, APlaceIsThereOnce) {
    SavedState state = some_state();
    EXPECT_EQ(state.place_of({"p0", "af_packet:a"}), 0U);
    EXPECT_EQ(state.place_of({"p0", "af_packet:b"}), 2U) << "another device";
    EXPECT_EQ(state.place_of({"up", ""}), 1U);
}

TEST(SavedState, IsReadWholeOrNotAtAll) {
    EXPECT_EQ(refusal_of(""), "damaged");
    EXPECT_EQ(refusal_of("[]"), "damaged");
    const std::string text = without_checksum(some_state());
    EXPECT_EQ(refusal_of(text), "");
    EXPECT_EQ(refusal_of(text.substr(0, text.size() / 2)), "damaged");
    for (const auto& [part, other] : std::initializer_list<std::pair<const char*, const char*>>{
             {R"("version":1)", R"("version":0)"},
             {R"("version":1)", R"("more":1,"version":1)"},
             {R"("saved_at":1764036000)", R"("saved_at":-1)"},
             {R"("place":1,"family")", R"("place":2,"family")"},
             {R"("vlan":1,)", R"("vlan":0,)"},
             {R"("vlan":1,)", R"("vlan":4095,)"},
             {"afh_16", "afh_17"},
             {"020000000001", "010000000001"},
             {"020000000001", "02000000000"},
             {"020000000001", "02000000000g"},
             {"00000000ffff", "00000001ffff"},
             {"[12,3]", "[12,13]"},
             {"[12,3]", "[12]"},
             {"[12,3]", "[-12,-13]"},
             {R"({"aggregation":"up"})", R"({"aggregation":""})"},
         }) {
        EXPECT_EQ(refusal_of(with(part, other)), "damaged") << other;
    }
}

TEST(SavedState, OfANewerVersionIsRefusedAsThat) {
    EXPECT_EQ(refusal_of(with(R"("version":1)", R"("version":3)")),
              "of a newer sluiced (version 3, and this one reads 2)");
    EXPECT_EQ(refusal_of(R"({"version": 4, "unheard": "of"})"),
              "of a newer sluiced (version 4, and this one reads 2)");
}

TEST(SavedState, OfAnOlderVersionHasNoChecksumAndANewOneHas) {
    const auto older = SavedState::read(without_checksum(some_state()));
    ASSERT_TRUE(older);
    EXPECT_EQ(*older, some_state());
    EXPECT_EQ(refusal_of(with(R"("version":1)", R"("version":2)")), "damaged");
    EXPECT_EQ(refusal_of(with_checksum(without_checksum(some_state()))), "damaged");
}

TEST(SavedState, AnyBitThatFlipsIsFound) {
    std::string text = some_state().text();
    for (std::size_t bit = 0; bit < 8 * text.size(); ++bit) {
        const auto mask = static_cast<char>(1 << bit % 8);
        text[bit / 8] ^= mask;
        EXPECT_NE(refusal_of(text), "") << bit / 8 << ' ' << text;
        text[bit / 8] ^= mask;
    }
    EXPECT_EQ(refusal_of(text), "");
}

TEST(SavedState, CountsHaveASum) {
    SavedState state = some_state();
    state.counters[0].counts["ports.rx_bytes"] = {~uint64_t{0}, ~uint64_t{0}};
    const auto read = SavedState::read(state.text());
    ASSERT_TRUE(read);
    EXPECT_EQ(read->counters[0].counts.at("ports.rx_bytes").total, uint64_t{1} << 62);
}

}  // namespace
}  // namespace sluice::control
