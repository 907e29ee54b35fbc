// Namespace ids: reads the ids by which this network namespace refers to the namespaces of its
// interfaces' peers. Source: rtnetlink(7), linux/net_namespace.h.
#pragma once

#include <cstdint>
#include <optional>

namespace sluice::cli {

// Returns the id of the namespace of the interface's other end; none if that is this namespace.
std::optional<int32_t> id_of_far_end(unsigned interface_index);
// Returns the id of the namespace of an open file of /run/netns or /proc/PID/ns; none if it has no
// id here.
std::optional<int32_t> id_of_namespace(int file);

}  // namespace sluice::cli
