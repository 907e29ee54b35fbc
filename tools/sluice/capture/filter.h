// Filter: compiles an expression of libpcap's language (pcap-filter(7)) into the program that
// sluiced runs.
//
// This program compiles the expression, and not sluiced: the expression may name hosts, networks
// and services, whose lookup takes time and needs the caller's rights.
#pragma once

#include <string>
#include <tl/expected.hpp>

#include "tools/sluice/reply.h"

namespace sluice::cli {

// Returns the compiled filter in the form of the request: a list of [code, jt, jf, k].
tl::expected<Json, Failure> compiled(const std::string& expression);

}  // namespace sluice::cli
