// BothWays: a test that expects the same result whether frames bypass VOQs, which is the default,
// or each frame uses its VOQ.
//
//   class SwitchX : public test::BothWays {};
//   TEST_P(SwitchX, ...) { Rig rig(settings_of(2)); ... }
//   INSTANTIATE_TEST_SUITE_P(Ways, SwitchX, testing::Bool(), test::way);
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "tests/support/lossless.h"
#include "tests/support/rig.h"

namespace sluice::test {

class BothWays : public testing::TestWithParam<bool> {
  protected:
    static Settings this_way(Settings settings) {
        settings.fabric.bypass = GetParam();
        return settings;
    }
    static Settings settings_of(std::size_t ports, uint8_t workers = 1) {
        return this_way(test::settings_of(ports, workers));
    }
    static Settings lossless_settings(std::size_t ports = 2) {
        return this_way(test::lossless_settings(ports));
    }
};

inline std::string way(const testing::TestParamInfo<bool>& of) {
    return of.param ? "bypass" : "voqs";
}

}  // namespace sluice::test
