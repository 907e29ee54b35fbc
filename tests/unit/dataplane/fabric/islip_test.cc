#include "dataplane/fabric/islip.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "tests/support/offer.h"

namespace sluice {
namespace {

// Requests written as one line an input and one column an output: '.' asks for nothing, a digit
// asks at that priority. A matching reads likewise: for each input the output it got, or '.'.
class Grid {
  public:
    Grid(unsigned iterations, const std::vector<std::string>& requests)
        : islip_(iterations), rows_(requests.size()) {
        requests_.ports = requests.size();
        requests_.rows = rows_.data();
        requests_.inputs = first_ports(requests.size());
        requests_.offer_all();
        ask(requests);
    }
    void ask(const std::vector<std::string>& requests) {
        for (RequestRow& row : rows_) row = {};
        for (PortIndex input = 0; input < requests.size(); ++input) {
            for (PortIndex output = 0; output < requests.size(); ++output) {
                const char digit = requests[input][output];
                if (digit == '.') continue;
                rows_[output][static_cast<std::size_t>(digit - '0')] |= only(input);
            }
        }
    }
    std::string slot() {
        Matching matching;
        islip_.match(requests_, matching);
        std::string text;
        priorities_.clear();
        for (PortIndex input = 0; input < requests_.ports; ++input) {
            const bool matched = (matching.matched & only(input)) != 0;
            text += matched ? static_cast<char>('0' + matching.output[input]) : '.';
            priorities_ += matched ? static_cast<char>('0' + matching.priority[input]) : '.';
        }
        return text;
    }
    std::string slots(int count) {
        std::string text;
        for (int n = 0; n < count; ++n) {
            if (n > 0) text += ' ';
            text += slot();
        }
        return text;
    }
    const std::string& priorities() const { return priorities_; }
    Requests& requests() { return requests_; }

  private:
    Islip islip_;
    std::vector<RequestRow> rows_;
    Requests requests_;
    std::string priorities_;
};

// McKeown 1999, figure 2 (its ports 1 to 4 are 0 to 3 here): input 0 asks for outputs 0 and 1,
// input 2 for 1 and 3, input 3 for 3; all pointers stand on the first port. Outputs 0 and 1 grant
// input 0, output 3 grants input 2; they accept outputs 0 and 3.
const std::vector<std::string> figure_2 = {"00..", "....", ".0.0", "...0"};

TEST(Islip, WorksTheExampleOfThePaper) { EXPECT_EQ(Grid(1, figure_2).slot(), "0.3."); }

// By hand from there: g0 = 1, g3 = 3, a0 = 1, a2 = 0; output 1's grant was not accepted, so g1
// stays on 0. Slot 2: output 0 grants 0 (alone), 1 grants 0, 3 grants 3; input 0 accepts 1. Slot 3:
// g1 = 1, g3 = 0: output 0 grants 0, 1 grants 2, 3 grants 2; input 2's pointer is on 0: it takes 1.
TEST(Islip, MovesPointersOnlyWhenAGrantIsAccepted) {
    EXPECT_EQ(Grid(1, figure_2).slots(3), "0.3. 1..3 0.1.");
}

// Everyone asks for everything: the pointers start in step, and every slot one more pair falls out
// of step, until all are matched in every slot: the time division of section 3.
TEST(Islip, PointersFallOutOfStepAndStayThere) {
    Grid grid(1, {"0000", "0000", "0000", "0000"});
    EXPECT_EQ(grid.slots(4), "0... 10.. 210. 3210");
    EXPECT_EQ(grid.slots(5), "0321 1032 2103 3210 0321");
}

TEST(Islip, AFurtherIterationMatchesWhatIsLeft) {
    EXPECT_EQ(Grid(1, {"0000", "0000", "0000", "0000"}).slot(), "0...");
    EXPECT_EQ(Grid(2, {"0000", "0000", "0000", "0000"}).slot(), "01..");
    EXPECT_EQ(Grid(3, {"0000", "0000", "0000", "0000"}).slot(), "012.");
    EXPECT_EQ(Grid(4, {"0000", "0000", "0000", "0000"}).slot(), "0123");
}

// Only matches of the first iteration move pointers: the second slot has the matches of one
// iteration, and more.
TEST(Islip, OnlyTheFirstIterationMovesPointers) {
    EXPECT_EQ(Grid(2, {"0000", "0000", "0000", "0000"}).slots(2), "01.. 102.");
}

TEST(Islip, OutputsGrantAmongTheHighestPriorityOnly) {
    Grid grid(1, {"3...", "5...", "5...", "1..."});
    EXPECT_EQ(grid.slots(3), ".0.. ..0. .0..");
    EXPECT_EQ(grid.priorities(), ".5..");
}

TEST(Islip, InputsAcceptTheHighestPriorityOnly) {
    Grid grid(1, {"25.6", "....", "....", "...."});
    EXPECT_EQ(grid.slot(), "3...");
    EXPECT_EQ(grid.priorities(), "6...");
}

// Priority 7 takes its turns without moving the pointers of priority 0.
TEST(Islip, EachPriorityHasItsOwnPointers) {
    Grid grid(1, {"0...", "0...", "0...", "0..."});
    EXPECT_EQ(grid.slots(2), "0... .0..");
    grid.ask({"7...", "7...", "0...", "0..."});
    EXPECT_EQ(grid.slots(3), "0... .0.. 0...");
    grid.ask({"0...", "0...", "0...", "0..."});
    EXPECT_EQ(grid.slots(2), "..0. ...0");
}

TEST(Islip, TheFavouriteGoesBeforeTheOthers) {
    Grid grid(1, {"7...", "2...", "5...", "...."});
    grid.requests().favourite = 2;
    EXPECT_EQ(grid.slot(), ".0..");
    grid.requests().favourite = 4;  // nobody asks at it
    EXPECT_EQ(grid.slot(), "0...");
    grid.requests().favourite = Requests::no_favourite;
    EXPECT_EQ(grid.slot(), "0...");
}

TEST(Islip, InputsPreferTheFavouriteToo) {
    Grid grid(1, {"72..", "....", "....", "...."});
    grid.requests().favourite = 2;
    EXPECT_EQ(grid.slot(), "1...");
}

TEST(Islip, AnOutputIsMatchedOnlyAtAPriorityItOffers) {
    Grid grid(1, {"7...", "3...", "....", "...."});
    test::offer(grid.requests(), 0, 0b0000'1000);
    EXPECT_EQ(grid.slot(), ".0..");
    EXPECT_EQ(grid.priorities(), ".3..");
    test::offer(grid.requests(), 0, 0b0000'0100);
    EXPECT_EQ(grid.slot(), "....");
    test::offer(grid.requests(), 0, 0);
    EXPECT_EQ(grid.slot(), "....");
}

TEST(Islip, ABusyInputIsNotMatched) {
    Grid grid(4, {"0000", "0000", "0000", "0000"});
    grid.requests().inputs = 0b1010;
    EXPECT_EQ(grid.slot(), ".0.1");
}

TEST(Islip, NothingAskedForIsAnEmptyMatching) {
    EXPECT_EQ(Grid(4, {"....", "....", "....", "...."}).slot(), "....");
    EXPECT_EQ(Grid(4, {"0"}).slot(), "0");
}

TEST(Islip, PointersWrapAtTheNumberOfPorts) {
    Grid grid(1, {"0..", "0..", "0.."});
    EXPECT_EQ(grid.slots(5), "0.. .0. ..0 0.. .0.");
}

TEST(Islip, SixtyFourPortsAreServedInOrder) {
    std::vector<std::string> requests(64, std::string(64, '.'));
    for (std::string& row : requests) row[63] = '0';
    Grid grid(1, requests);
    for (std::size_t turn = 0; turn < 130; ++turn) {
        std::string expected(64, '.');
        expected[turn % 64] = '0' + 63;
        ASSERT_EQ(grid.slot(), expected);
    }
}

}  // namespace
}  // namespace sluice
