// CsigSettings: what may be chosen of congestion signalling in band (csig/): which tags are known,
// how values become signals, and what each port does with the tags of frames that it sends.
//
// Not done here: the tags (csig/csig_tag.h), whether settings fit together (config/csig.h).
#pragma once

#include <array>
#include <cstdint>

#include "dataplane/types/units.h"

namespace sluice {

// What a signal says (SAI, CSIG, 3.0): the bandwidth that a port has left in bits a second, the
// same relative to its capacity in 1/65536, how long the hop took in nanoseconds, and how long what
// waits in the queue takes to send.
enum class CsigType : uint8_t { bandwidth, relative, delay, depth };
inline constexpr std::size_t csig_types = 4;

// Signals count steps from `base` on; what is below is 0, and the last one stands for all beyond.
struct CsigBands {
    int64_t base = 0;
    int64_t step = 1;
};

struct CsigFormSettings {
    uint16_t tpid = 0;  // 0: tags of this form are not known
    bool d_bit = true;  // the last bit of the locator says instead that the frame was trimmed
    std::array<CsigBands, csig_types> bands;  // by type
};

struct CsigSettings {
    CsigFormSettings compact;
    CsigFormSettings wide;    // has its D bit in any case
    Nanos interval{128'000};  // that bandwidth is averaged over, 1 us or more

    [[nodiscard]] bool is_on() const { return compact.tpid != 0 || wide.tpid != 0; }
};

// What a port does with the tags of frames that it sends.
enum class CsigMode : uint8_t { off, update, strip };

struct PortCsigSettings {
    CsigMode mode = CsigMode::off;
    uint16_t locator = 0;  // beside signals of this port; as many bits as the tag has
};

}  // namespace sluice
