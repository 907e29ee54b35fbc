// AgentX: a subagent (RFC 2741) by net-snmp's agent library, which serves our objects to a master.
//
// The tables of IF-MIB replace the master's own, by a higher priority, since a machine has one
// IF-MIB; the master's tables return when this ends. Everything is read-only: the library refuses
// SET.
// Bound: one request at a time, answered from snapshots. The library reconnects by itself, within
// `reconnect_s`.
#pragma once

#include <csignal>
#include <string>

#include "tools/snmp/fdb_table.h"
#include "tools/snmp/tables.h"

namespace sluice::snmp {

inline constexpr int reconnect_s = 2;

// Serves until `stop` is set, which a signal handler may do. `master`: the address of the master,
// as snmpd's agentXSocket; empty: net-snmp's default.
void serve(Tables& tables, FdbTable& addresses, const std::string& master,
           const volatile std::sig_atomic_t& stop);

}  // namespace sluice::snmp
