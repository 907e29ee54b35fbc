// The most addresses that a state may hold. Apart, since a sanitizer takes a minute for them.
#include <gtest/gtest.h>

#include "control/state/saved_state.h"

namespace sluice::control {
namespace {

TEST(SavedStateSize, IsNoMoreThanAnFdbCanHold) {
    SavedState state{.saved_at = 1'764'036'000, .places = {}, .fdb = {}, .counters = {}};
    const std::size_t port = state.place_of({"p0", "af_packet:a"});
    state.fdb = {{port, FormatFamily::ethernet, 1, {}}};
    state.fdb[0].addresses.assign(most_addresses, {{0x0200'0000'0003}, 1});
    const std::string most = state.text();
    EXPECT_LT(most.size(), longest_state);
    EXPECT_TRUE(SavedState::read(most));
    state.fdb[0].addresses.push_back({{0x0200'0000'0003}, 1});
    const auto read = SavedState::read(state.text());
    ASSERT_FALSE(read);
    EXPECT_EQ(read.error(), "damaged");
}

}  // namespace
}  // namespace sluice::control
