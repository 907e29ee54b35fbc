#include "dataplane/trim/trimmer.h"

#include <gtest/gtest.h>

namespace sluice {
namespace {

using namespace literals;

Settings sharing(uint8_t share_128, uint8_t workers = 1) {
    Settings settings;
    settings.workers = workers;
    settings.ports.resize(2);
    settings.ports[1].trim.share_128 = share_128;
    return settings;
}

// Returns how many frames of 128 octets may be trimmed for port 1 until it has sent more.
int trimmed(Trimmer& trimmer, uint64_t sent) {
    int frames = 0;
    for (; trimmer.has_share(1, sent, 128_B); ++frames) trimmer.spend(1, 128_B);
    return frames;
}

constexpr int burst = Trimmer::most_credit.count() / 128;

TEST(Trimmer, AShareIsOfWhatThePortSends) {
    Trimmer trimmer;
    trimmer.configure(sharing(32));
    EXPECT_EQ(trimmed(trimmer, 0), burst) << "before it sent anything";
    EXPECT_EQ(trimmed(trimmer, 5120), 10);
    EXPECT_EQ(trimmed(trimmer, 5120), 0);
    EXPECT_EQ(trimmed(trimmer, 5120 + 511), 0);
    EXPECT_EQ(trimmed(trimmer, 5120 + 512), 1) << "nothing is rounded away";
}

TEST(Trimmer, OfWhatIsNotUsedABurstIsKept) {
    Trimmer trimmer;
    trimmer.configure(sharing(64));
    EXPECT_EQ(trimmed(trimmer, uint64_t{1} << 62), burst);
}

TEST(Trimmer, WorkersShareIt) {
    Trimmer trimmer;
    trimmer.configure(sharing(64, 4));
    EXPECT_EQ(trimmed(trimmer, 0), burst);
    EXPECT_EQ(trimmed(trimmer, 128 * 80), 10);
}

TEST(Trimmer, NewSettingsKeepWhatWasSeen) {
    Trimmer trimmer;
    trimmer.configure(sharing(64));
    EXPECT_EQ(trimmed(trimmer, 25600), burst);
    trimmer.configure(sharing(32));
    EXPECT_EQ(trimmed(trimmer, 25600), 0);
    EXPECT_EQ(trimmed(trimmer, 51200), 50);
}

}  // namespace
}  // namespace sluice
