// Words: parses rates and lengths of frames, from the command line and from files. Faults have the
// form `what is wrong; what would be right`.
#pragma once

#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "tools/gen/benchmarks/trial.h"
#include "tools/gen/pacer.h"
#include "tools/gen/pattern.h"

namespace sluice::gen {

// Parses `1M` frames a second, `10Gbps` bits a second on the wire, or `max`: unlimited.
tl::expected<Rate, std::string> parse_packet_rate(std::string_view text);
// Parses `64` to `9724` octets with FCS, `imix`, or several lengths, each with its frequency:
// `64:7+594:4+1518:1`.
tl::expected<FrameMix, std::string> parse_frame_mix(std::string_view text);
// The reverse of `parse_frame_mix`.
std::string to_word(const FrameMix& frames);
// Parses several mixes, separated by commas; `rfc2544`: the lengths of its section 9.1.
tl::expected<std::vector<NamedMix>, std::string> parse_frame_mixes(std::string_view text);

}  // namespace sluice::gen
