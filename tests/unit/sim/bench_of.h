// BenchOf: a matcher and its queues, written as text. Queues are one line an input and one column
// an output, a digit each for how many cells wait, '.' for none. A matching reads likewise: for
// each input the output it got, or '.'.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "tools/sim/fabric/algorithms.h"

namespace sluice::sim::test {

class BenchOf {
  public:
    BenchOf(std::string_view algorithm, const std::vector<std::string>& queues, Tuning tuning = {})
        : voqs_(static_cast<unsigned>(queues.size()), 1000) {
        tuning.ports = voqs_.ports();
        matcher_ = find_algorithm(algorithm)->make(tuning);
        add(queues);
    }

    void add(const std::vector<std::string>& queues) {
        for (PortIndex input = 0; input < queues.size(); ++input) {
            for (PortIndex output = 0; output < queues.size(); ++output) {
                const char digit = queues[input][output];
                for (char cell = '0'; digit != '.' && cell < digit; ++cell) {
                    voqs_.push(input, output, 0);
                }
            }
        }
    }

    // The arrivals of this slot: for each input the output, or '.'. They are not queued: `add` does
    // that.
    void arrive(std::string_view outputs) {
        arrivals_ = {};
        for (PortIndex input = 0; input < outputs.size(); ++input) {
            if (outputs[input] == '.') continue;
            arrivals_.inputs |= only(input);
            arrivals_.output[input] = static_cast<PortIndex>(outputs[input] - '0');
        }
    }

    // No cell departs, as if another came for each that did.
    std::string backlogged_slot() {
        const Matching matching = match();
        std::string text(voqs_.ports(), '.');
        for_each_port(matching.outputs, [&](PortIndex output) {
            char& got = text[matching.input_of[output]];
            EXPECT_EQ(got, '.') << "an input got two outputs";
            got = static_cast<char>('0' + output);
        });
        last_ = matching;
        return text;
    }
    // Matched cells depart.
    std::string slot() {
        std::string text = backlogged_slot();
        for_each_port(last_.outputs,
                      [&](PortIndex output) { voqs_.pop(last_.input_of[output], output); });
        return text;
    }
    std::string slots(int count) { return several(count, &BenchOf::slot); }
    std::string backlogged_slots(int count) { return several(count, &BenchOf::backlogged_slot); }

    Matching match() {
        Matching matching;
        matcher_->match(voqs_, arrivals_, matching);
        return matching;
    }
    [[nodiscard]] Voqs& voqs() { return voqs_; }

  private:
    std::string several(int count, std::string (BenchOf::*one)()) {
        std::string text;
        for (int n = 0; n < count; ++n) {
            if (n > 0) text += ' ';
            text += (this->*one)();
        }
        return text;
    }

    Voqs voqs_;
    Made matcher_;
    Arrivals arrivals_;
    Matching last_;
};

}  // namespace sluice::sim::test
