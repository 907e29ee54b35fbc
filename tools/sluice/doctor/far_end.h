// Far end: the settings of the host at the other end of a veth, in its own namespace.
//
// The namespace is searched for among those that have a name or a process, and a thread enters it.
// With another root than this machine's, the data is in the files /far_end/NAME, one word and value
// a line, and /addresses.
// Limits: a far end is not found without CAP_SYS_ADMIN, nor in a namespace that only a socket holds
// open.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tools/sluice/doctor/machine.h"

namespace sluice::cli {

struct Address {
    std::string interface;
    std::string text;             // `198.51.100.2`
    std::vector<uint8_t> octets;  // the address as 4 or 16 octets
    unsigned prefix = 0;          // length of the network prefix
};

// Whether both addresses are in the network of the first.
bool is_in_network(const Address& of, const Address& other);

struct FarEnd {
    std::string interface;  // name in the far end's namespace
    std::string entering;   // prefix that runs a command in that namespace; may be empty
    int64_t mtu = 0;
    std::vector<std::string> leaves;  // offloads of checksums, segments and tags that are on
    std::vector<Address> addresses;
};

// Returns the far end of each interface that is a veth; an empty one if it cannot be found.
using FarEnds = std::map<std::string, std::optional<FarEnd>>;
FarEnds far_ends_of(const Machine& machine, const std::vector<std::string>& interfaces);

// Returns the addresses of this machine, without loopback and link-local ones.
std::vector<Address> addresses_of(const Machine& machine);

}  // namespace sluice::cli
