// ReadGolden: a golden TLV of a dialect, read, and written again: without a fault, and the same.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "control/dcbx/fault.h"
#include "control/dcbx/model.h"
#include "tests/support/dcbx_golden.h"

namespace sluice::dcbx {

template <class Read, class Write>
Advertisement read_golden(const std::string& name, Read read, Write write) {
    FaultCounters faults;
    const std::vector tlvs = {test::golden_tlv(name)};
    Advertisement said = read(tlvs, faults);
    EXPECT_EQ(faults.total(), 0U);
    EXPECT_EQ(write(said), tlvs) << name << " is written as it was read";
    return said;
}

}  // namespace sluice::dcbx
