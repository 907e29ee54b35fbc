// AgentX: a subagent (RFC 2741) by net-snmp's agent library, which serves our objects to a master.
//
// The tables of IF-MIB take the place of the master's own, by a priority before its, since a
// machine has one IF-MIB; they are the master's again when this ends. Everything is read-only: the
// library refuses to set.
// Bound: one request at a time, answered from snapshots. The library connects again by itself,
// within `reconnect_s`.
#pragma once

#include <csignal>
#include <string>

#include "tools/snmp/fdb_table.h"
#include "tools/snmp/tables.h"

namespace sluice::snmp {

inline constexpr int reconnect_s = 2;

// Serves until `stop` is set; a signal's handler may set it. `master`: where the master listens, as
// snmpd's agentXSocket; empty: net-snmp's own default.
void serve(Tables& tables, FdbTable& addresses, const std::string& master,
           const volatile std::sig_atomic_t& stop);

}  // namespace sluice::snmp
