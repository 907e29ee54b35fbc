// Filter: an expression of libpcap's language (pcap-filter(7)) as the program that sluiced runs.
//
// It is compiled here and not by sluiced: an expression may name hosts, networks and services,
// whose lookup takes time and needs the caller's rights.
#pragma once

#include <string>
#include <tl/expected.hpp>

#include "tools/sluice/reply.h"

namespace sluice::cli {

// Returns the compiled filter as the request carries it: a list of [code, jt, jf, k].
tl::expected<Json, Failure> compiled(const std::string& expression);

}  // namespace sluice::cli
