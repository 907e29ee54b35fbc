// StreamFile: reads the streams of `sluice-gen --streams` from a YAML file.
//
//   streams:
//     - name: voice        # name in the results; default: stream0, stream1, ...
//       from: 0            # number of the --port that sends, from 0
//       to: 1              # number of the --port that receives
//       rate: 10Mbps       # rate as in --rate; default: max
//       frame_bytes: imix  # length or mix as in --frame-bytes; default: 64
//       vlan: 10           # VLAN of the tag; default: 0, priority-tagged
//       pcp: 5             # PCP of the tag; default: 0
//       dscp: 46           # DSCP of the IP header; default: the class selector of the PCP
//       addresses: 100     # addresses of each station, as in --addresses; default: 1
//       burst: 32          # frames sent back to back, at `rate` on average; default: 1
//       frames: 1000       # limit of frames; default: as long as the run lasts
//       format: afh_lite   # a preset of `ports[].format`; default: standard
//     - name: pause        # frames of these octets, without FCS, instead of probes. They count as
//       from: 1            # sent, not as lost; `rate`, `burst` and `frames` are their only other
//                          # keys
//       octets: 0180C2000001 02534C000001 8808 0101 0008 000000000000FFFF00000000000000000000
//     - {from: 1, to: 0}
// All faults are reported at once, with line and column.
// Bound: 256 streams; a file of 1 MiB (stream_reader.h).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "config/yaml/fault.h"
#include "tools/gen/generator.h"
#include "tools/gen/stream_reader.h"

namespace sluice::gen {

using Streams = tl::expected<std::vector<Stream>, std::vector<config::Fault>>;

// Reads streams. `ports`: the number of ports; `file`: the file's name in faults.
Streams read_streams(std::string_view text, const std::string& file, std::size_t ports);

}  // namespace sluice::gen
