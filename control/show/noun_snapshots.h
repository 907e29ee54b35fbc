// Noun snapshots: functions that return nouns of `show` as JSON (control/nouns.md lists the keys),
// and parts of nouns that other answers contain. Nouns with a header of their own: counters,
// credits, events, fdb, latency, ledger, recorder, retry.
#pragma once

#include "control/show/snapshot.h"

namespace sluice::control {

// Ports, and the CSIG tags of their frames (dataplane/csig/csig_tag.h). Empty if no tag is known.
Json csig_snapshot(const View& view, bool all);

// What each port and its peer advertise by DCBX, one row for each port and feature. The noun holds
// no text that the peer sent. A port with DCBX disabled has no row.
Json dcbx_snapshot(const View& view, bool all);

// What a routing daemon provides for each EVPN network.
Json evpn_snapshot(const View& view, bool all);
// Returns the remote VTEP of an FDB entry learned by EVPN; null for any other entry.
Json vtep_of(const View& view, const FdbEntry& entry);

// The statistics exported by IPFIX, the collectors, and losses.
Json ipfix_snapshot(const View& view, bool all);

// The LACP state of members of aggregations and of their partners; the keys have the names of IEEE
// 802.1AX.
Json lacp_snapshot(const View& view, bool all);

// LLDP of each port, the local system and its neighbours. Text from neighbours is made safe to
// display (lldp/text.h): printable UTF-8, the rest as \xNN. Keys of optional TLVs that a neighbour
// does not send are null.
Json lldp_snapshot(const View& view, bool all);

// Known multicast groups, the ports that joined them, and router ports.
// Bound: looks at every slot of the group table, and at every VLAN.
Json multicast_snapshot(const View& view, bool all);

// Pauses and the buffer, and the part of `ports` about devices that take no frames.
// Bound: ports times priorities; `pfc` looks at every port for each priority of each port, for the
// causes of pauses.
Json pfc_snapshot(const View& view, bool all);
Json buffer_snapshot(const View& view, bool all);
// Returns the keys about stalls of the device, to add to the row of a port.
Json stalls_of(const View& view, PortIndex port);

// Frames that wait for each output, and counts of frames by outcome.
Json queues_snapshot(const View& view, bool all);
// Returns how many frames for a port were trimmed instead of dropped, and how many of the trimmed
// frames were dropped nevertheless (dataplane/trim/trimmer.h).
Json trims_of(const View& view, PortIndex output);

// Samples sent to sFlow collectors, and losses.
Json sflow_snapshot(const View& view, bool all);

// The spanning tree as this switch sees it, and its ports.
Json spanning_tree_snapshot(const View& view, bool all);

// The tunnels, the ports below them (underlays), and counts of carried and refused packets.
Json tunnels_snapshot(const View& view, bool all);

// The version of the running sluiced, its build, and its environment.
Json version_snapshot(const View& view, bool all);

// VLANs, their names and members. A VLAN without a name, with default settings and without members
// of its own is left out.
Json vlan_snapshot(const View& view, bool all);

// The VTEPs of point-to-multipoint tunnels (dataplane/tunnel/vteps.h), and the traffic of each.
Json vteps_snapshot(const View& view, bool all);
// Returns the VTEP to which the port sends a frame of a VLAN for a station; `all` for a flood; null
// if the port's tunnel has a single other end, or carries no such frame.
Json vtep_for(const View& view, PortIndex output, VlanId vlan, MacAddress destination);
// Returns the VNI in which the port sends a frame of a VLAN; null if it sends the frame in none.
Json vni_for(const View& view, PortIndex output, VlanId vlan);

}  // namespace sluice::control
