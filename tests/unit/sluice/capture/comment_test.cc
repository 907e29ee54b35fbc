#include "tools/sluice/capture/comment.h"

#include <gtest/gtest.h>

namespace sluice::cli {
namespace {

constexpr uint8_t unknown = CaptureRecord::unknown;
const CaptureNames names{.ports = {"p0", "p1"}, .reasons = {"none", "runt", "over_threshold"}};

std::string comment(CapturedAs as, uint8_t reason, Priority priority, PortIndex output) {
    CaptureRecord record{};
    record.as = as;
    record.reason = static_cast<Drop>(reason);
    record.priority = priority;
    record.output = output;
    record.depth = 65536;
    return comment_of(record, names);
}

TEST(CaptureComment, SaysWhatIsKnown) {
    EXPECT_EQ(comment(CapturedAs::received, 0, 3, unknown), "priority 3");
    EXPECT_EQ(comment(CapturedAs::received, 0, unknown, unknown), "");
    EXPECT_EQ(comment(CapturedAs::sent, 0, 3, 1), "from p0, priority 3");
    EXPECT_EQ(comment(CapturedAs::generated, 0, unknown, 1), "made by the switch");
}

TEST(CaptureComment, SaysOfADropWhyAndWhere) {
    EXPECT_EQ(comment(CapturedAs::dropped_ingress, 2, 3, 1),
              "dropped: over_threshold; VOQ from p0 to p1, priority 3, 65536 octets deep");
    EXPECT_EQ(comment(CapturedAs::dropped_ingress, 1, unknown, unknown), "dropped: runt; from p0");
    EXPECT_EQ(comment(CapturedAs::dropped_ingress, 1, 5, unknown),
              "dropped: runt; from p0, priority 5");
}

TEST(CaptureComment, SaysOfWhatWasTrimmedWhere) {
    EXPECT_EQ(comment(CapturedAs::trimmed, 2, 3, 1),
              "trimmed; VOQ from p0 to p1, priority 3, 65536 octets deep");
}

// Another version of sluiced may know more of them.
TEST(CaptureComment, SaysTheNumberOfWhatHasNoName) {
    EXPECT_EQ(comment(CapturedAs::dropped_egress, 77, 3, 9),
              "dropped: 77; VOQ from p0 to 9, priority 3, 65536 octets deep");
}

}  // namespace
}  // namespace sluice::cli
