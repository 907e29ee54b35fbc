// Filter: an expression of libpcap's language (pcap-filter(7)) as the program that sluiced runs.
//
// Compiled here and not by sluiced: an expression may name hosts, networks and services, and to
// look these up takes time and rights that are the caller's.
#pragma once

#include <string>
#include <tl/expected.hpp>

#include "tools/sluice/reply.h"

namespace sluice::cli {

// As the request has it: a list of [code, jt, jf, k].
tl::expected<Json, Failure> compiled(const std::string& expression);

}  // namespace sluice::cli
