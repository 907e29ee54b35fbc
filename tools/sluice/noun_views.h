// Noun views: what `sluice show` prints for people, a function for each noun that takes more than a
// few lines; views.cc has the rest, and the table of them all. Ports are in ports_view.h.
#pragma once

#include <string>

#include "tools/common/sheet.h"

namespace sluice::cli {

// Shows the credit that each priority may use and the octets that it holds, and the updates of the
// ports.
std::string credits_view(Sheet& sheet, const Json& result);

// Shows the agreements of each port and its peer, and the peers' capabilities and recommendations.
std::string dcbx_view(Sheet& sheet, const Json& result);

// Shows each network, its VTEPs and neighbours.
std::string evpn_view(Sheet& sheet, const Json& result);

// Show collectors, and what they receive about ports or queues.
std::string sflow_view(Sheet& sheet, const Json& result);
std::string ipfix_view(Sheet& sheet, const Json& result);

// Show queues, pauses, waits and the buffer.
std::string queues_view(Sheet& sheet, const Json& result);
std::string pfc_view(Sheet& sheet, const Json& result);
std::string latency_view(Sheet& sheet, const Json& result);
std::string buffer_view(Sheet& sheet, const Json& result);

std::string bursts_view(Sheet& sheet, const Json& result);
std::string recorder_view(Sheet& sheet, const Json& result);

// Shows the state of both directions of each port with link-level retry, resent frames, and losses.
std::string retry_view(Sheet& sheet, const Json& result);

std::string spanning_tree_view(Sheet& sheet, const Json& result);

// Show the far end of each tunnel, its next hop, and refused frames; and the VTEPs of tunnels with
// many far ends.
std::string tunnels_view(Sheet& sheet, const Json& result);
std::string vteps_view(Sheet& sheet, const Json& result);

}  // namespace sluice::cli
