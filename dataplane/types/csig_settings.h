// CsigSettings: the settings of in-band congestion signalling (csig/): the known TPIDs, the mapping
// of values to signals, and what each port does with the tags of frames that it sends.
//
// Not done here: the tags (csig/csig_tag.h), rules between settings (config/csig.h).
#pragma once

#include <array>
#include <cstdint>

#include "dataplane/types/enum_count.h"
#include "dataplane/types/units.h"

namespace sluice {

// The meaning of a signal (SAI, CSIG, 3.0): the unused bandwidth of a port in bits a second; this
// bandwidth as a share of the port's capacity, in 1/65536; the delay of the hop in nanoseconds; and
// the time that the queued octets take to send.
enum class CsigType : uint8_t { bandwidth, relative, delay, depth, last = depth };
inline constexpr std::size_t csig_types = count_of<CsigType>;

// Signals count steps from `base` on; values below `base` are 0, and the last signal stands for all
// higher values.
struct CsigBands {
    int64_t base = 0;
    int64_t step = 1;
};

struct CsigFormSettings {
    uint16_t tpid = 0;  // 0: the switch does not know tags of this form
    bool d_bit = true;  // the last bit of the locator reports that the frame was trimmed
    std::array<CsigBands, csig_types> bands;  // by type
};

struct CsigSettings {
    CsigFormSettings compact;
    CsigFormSettings wide;    // always has the D bit
    Nanos interval{128'000};  // time over which bandwidth is averaged, 1 us or more

    [[nodiscard]] bool is_on() const { return compact.tpid != 0 || wide.tpid != 0; }
};

// The action of a port on the tags of frames that it sends.
enum class CsigMode : uint8_t { off, update, strip };

struct PortCsigSettings {
    CsigMode mode = CsigMode::off;
    uint16_t locator = 0;  // written with signals of this port; as many bits as the tag has
};

}  // namespace sluice
