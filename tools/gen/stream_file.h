// StreamFile: streams of `sluice-gen --streams`, out of a YAML file.
//
//   streams:
//     - name: voice        # in the results; stream0, stream1, ... unless written
//       from: 0            # which --port sends, counted from 0
//       to: 1              # which one it is for
//       rate: 10Mbps       # as of --rate; max unless written
//       frame_bytes: imix  # as of --frame-bytes, one of them; 64 unless written
//       vlan: 10           # in the tag; 0: priority-tagged, unless written
//       pcp: 5             # in the tag; 0 unless written
//       dscp: 46           # in the IP header; the class selector of the PCP unless written
//       addresses: 100     # of both stations, as of --addresses; 1 unless written
//       burst: 32          # frames that follow each other at once, at that rate in all; 1
//       frames: 1000       # and no more; as long as the others unless written
//       format: afh_lite   # of its frames, as of `ports[].format`, presets only; standard
//     - name: pause        # frames of these octets, without FCS, in place of probes: counted as
//       from: 1            # sent, not as lost; `rate`, `burst` and `frames` are all else they have
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

// `ports`: how many there are; `file`: its name in faults.
Streams read_streams(std::string_view text, const std::string& file, std::size_t ports);

}  // namespace sluice::gen
