#include "dataplane/fabric/serena.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/support/offer.h"

namespace sluice {
namespace {

// Queues are written as one line an input and one column an output, a digit each for how much
// waits, '.' for nothing. A matching reads likewise: for each input the output it got, or '.'.
class Bench {
  public:
    explicit Bench(std::size_t ports) : rows_(ports), lengths_(ports * ports * max_priorities) {
        requests_.ports = ports;
        requests_.rows = rows_.data();
        requests_.inputs = first_ports(ports);
        requests_.offer_all();
        requests_.backlog.to_next_output = sizeof(Counter) * max_priorities;
        requests_.backlog.to_next_priority = sizeof(Counter);
        for (PortIndex input = 0; input < ports; ++input) {
            requests_.backlog.first[input] = &lengths_[input * ports * max_priorities];
        }
    }
    void queue(Priority priority, const std::vector<std::string>& queues) {
        for (PortIndex input = 0; input < queues.size(); ++input) {
            for (PortIndex output = 0; output < queues.size(); ++output) {
                const char digit = queues[input][output];
                PortSet& asking = rows_[output][priority];
                asking &= ~only(input);
                if (digit != '.') asking |= only(input);
                lengths_[(input * queues.size() + output) * max_priorities + priority].set(
                    digit == '.' ? 0 : static_cast<uint64_t>(digit - '0'));
            }
        }
    }
    void arrive(Priority priority, const std::string& outputs) {
        requests_.arrivals.inputs = 0;
        for (PortIndex input = 0; input < outputs.size(); ++input) {
            if (outputs[input] == '.') continue;
            requests_.arrivals.inputs |= only(input);
            requests_.arrivals.output[input] = static_cast<PortIndex>(outputs[input] - '0');
            requests_.arrivals.priority[input] = priority;
        }
    }
    // Each as output@priority.
    std::string slot() {
        Matching matching;
        serena_.match(requests_, matching);
        std::string text;
        for (PortIndex input = 0; input < requests_.ports; ++input) {
            if (input > 0) text += ' ';
            text += (matching.matched & only(input)) == 0
                        ? std::string("-")
                        : std::to_string(matching.output[input]) + "@" +
                              std::to_string(matching.priority[input]);
        }
        return text;
    }
    Requests& requests() { return requests_; }

  private:
    Serena serena_{1};
    std::vector<RequestRow> rows_;
    std::vector<Counter> lengths_;
    Requests requests_;
};

TEST(Serena, KeepsTheLongerQueuesOfWhatWasAndWhatComes) {
    Bench bench(2);
    bench.queue(0, {"51", "15"});
    bench.arrive(0, "01");
    EXPECT_EQ(bench.slot(), "0@0 1@0");
    bench.arrive(0, "10");
    EXPECT_EQ(bench.slot(), "0@0 1@0");
    bench.queue(0, {"58", "75"});
    EXPECT_EQ(bench.slot(), "1@0 0@0");
}

TEST(Serena, AHigherPriorityGoesBeforeAnyLengthOfALower) {
    Bench bench(2);
    bench.queue(0, {"99", "99"});
    bench.arrive(0, "01");
    EXPECT_EQ(bench.slot(), "0@0 1@0");
    bench.queue(7, {"..", "1."});
    EXPECT_EQ(bench.slot(), "1@0 0@7");
    bench.queue(7, {"..", ".."});
    EXPECT_EQ(bench.slot(), "0@0 1@0") << "the lower has its matching back";
}

TEST(Serena, TheFavouriteGoesFirst) {
    Bench bench(2);
    bench.queue(7, {"9.", "9."});
    bench.queue(2, {"..", "1."});
    bench.requests().favourite = 2;
    EXPECT_EQ(bench.slot(), "- 0@2");
    bench.requests().favourite = Requests::no_favourite;
    EXPECT_NE(bench.slot().find("0@7"), std::string::npos);
}

TEST(Serena, MatchesOnlyWhatIsFreeAndHasRoom) {
    Bench bench(3);
    bench.queue(3, {"99.", "99.", "99."});
    bench.requests().inputs = 0b110;
    test::offer(bench.requests(), 0, 0b0000'0001);
    const std::string only_one = bench.slot();
    EXPECT_TRUE(only_one == "- 1@3 -" || only_one == "- - 1@3") << only_one;
}

// A port that is busy for a slot has its place in the matching again when it is free.
TEST(Serena, RemembersThoseThatHaveNoRoomForNow) {
    Bench bench(4);
    bench.queue(0, {"91..", "19..", "..91", "..19"});
    bench.arrive(0, "0123");
    EXPECT_EQ(bench.slot(), "0@0 1@0 2@0 3@0");
    bench.arrive(0, "....");
    test::offer(bench.requests(), 2, 0);
    test::offer(bench.requests(), 3, 0);
    EXPECT_EQ(bench.slot(), "0@0 1@0 - -");
    bench.requests().offer_all();
    EXPECT_EQ(bench.slot(), "0@0 1@0 2@0 3@0");
}

}  // namespace
}  // namespace sluice
