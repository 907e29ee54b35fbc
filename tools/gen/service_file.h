// ServiceFile: services of `sluice-gen --y1564`, out of a YAML file.
//
//   services:
//     - name: voice        # in the results; service0, service1, ... unless written
//       from: 0            # which --port sends, counted from 0; the other way is another service
//       to: 1              # which one it is for
//       cir: 10Mbps        # committed: bits of frames with FCS, without preamble and gap, as
//                          # Y.1564 counts an information rate; or frames a second as 10K
//       eir: 5Mbps         # beyond that, likewise; nothing unless written
//       max_loss: 0.1%     # of frames, at the committed rate; 0% unless written
//       max_latency: 5ms   # the mean; not judged unless written
//       max_variation: 2ms # the 99.9th percentile of the latency less its least; likewise
//       policing: 5%       # overshoot is tested, too: no more than CIR + EIR comes through, and
//                          # so much of that beside, for the bursts of a policer; not tested
//                          # unless written
//       frame_bytes: imix  # this and the rest as of a stream (stream_file.h): vlan, pcp, dscp,
//                          # addresses, format
// All faults are reported at once, with line and column.
// Bound: 256 services; a file of 1 MiB.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "config/yaml/fault.h"
#include "tools/gen/benchmarks/y1564.h"

namespace sluice::gen {

using Services = tl::expected<std::vector<Service>, std::vector<config::Fault>>;

// `ports`: how many there are; `file`: its name in faults.
Services read_services(std::string_view text, const std::string& file, std::size_t ports);

}  // namespace sluice::gen
