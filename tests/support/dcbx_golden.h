// DcbxGolden: golden TLVs of DCBX, one for each file of dcbx_golden/, laid out in fields by hand
// from the standards. Programs of other projects decode the same files (functional/).
#pragma once

#include <fstream>
#include <stdexcept>
#include <string>

#include "control/lldp/organisational.h"
#include "tests/support/octets.h"

namespace sluice::test {

// Reads a file in hexadecimal. A line that begins with # is a comment.
inline Octets golden(const std::string& name) {
    std::ifstream file(std::string(SLUICE_DCBX_GOLDEN) + "/" + name + ".hex");
    if (!file) throw std::invalid_argument("no golden TLV " + name);
    std::string digits;
    for (std::string line; std::getline(file, line);) {
        if (!line.starts_with('#')) digits += line;
    }
    return hex(digits);
}

// Reads a TLV of type 127; the nine bits before its value are its length.
inline lldp::OrganisationalTlv tlv(const Octets& octets) {
    if (octets.size() < 6 || read_16(octets.data()) != (127U << 9 | (octets.size() - 2))) {
        throw std::invalid_argument("the length is not that of the TLV");
    }
    return {static_cast<uint32_t>(octets[2] << 16 | octets[3] << 8 | octets[4]), octets[5],
            Octets(octets.begin() + 6, octets.end())};
}
inline lldp::OrganisationalTlv golden_tlv(const std::string& name) { return tlv(golden(name)); }

}  // namespace sluice::test
