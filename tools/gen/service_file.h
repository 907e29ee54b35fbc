// ServiceFile: reads the services of `sluice-gen --y1564` from a YAML file.
//
//   services:
//     - name: voice        # name in the results; default: service0, service1, ...
//       from: 0            # number of the --port that sends, from 0; the reverse direction is
//                          # another service
//       to: 1              # number of the --port that receives
//       cir: 10Mbps        # committed rate: bits of frames with FCS, without preamble and gap, as
//                          # Y.1564 counts an information rate; or frames a second as 10K
//       eir: 5Mbps         # excess rate, in the units of cir; default: none
//       max_loss: 0.1%     # limit of lost frames at the committed rate; default: 0%
//       max_latency: 5ms   # limit of the mean; default: none
//       max_variation: 2ms # limit of the 99.9th percentile of the latency less its minimum;
//                          # default: none
//       policing: 5%       # tests overshoot: what arrives may exceed CIR + EIR by at most this
//                          # share of the sum, for the bursts of a policer; default: not tested
//       frame_bytes: imix  # this and further keys as in a stream (stream_file.h): vlan, pcp, dscp,
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

// Reads services. `ports`: the number of ports; `file`: the file's name in faults.
Services read_services(std::string_view text, const std::string& file, std::size_t ports);

}  // namespace sluice::gen
