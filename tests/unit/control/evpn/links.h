// A link as the kernel reports it by netlink: vx100 of VNI 100 and 192.0.2.1, of index 4, up, in
// the bridge of index 3.
#pragma once

#include "tests/support/octets.h"

namespace sluice::test {

inline Octets vx100() {
    return hex(
        "7c000000 10000000 00000000 00000000"
        "00 00 0100 04000000 43100100 00000000"
        "0a000300 767831303000 0000"
        "08000a00 03000000"
        "48001200"
        "0a000100 7678 6c616e00 0000"
        "0b000400 62726964676500 00"
        "2c000200 08000100 64000000 08000400 c0000201"
        "08000700 01000000 08000800 01000000 08000900 01000000");
}

}  // namespace sluice::test
