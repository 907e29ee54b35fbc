// AgentX: a subagent (RFC 2741) that serves our objects to a master, by net-snmp's agent library.
//
// The tables of IF-MIB have a higher priority than the master's and replace them, since a machine
// has one IF-MIB; the master's tables return when the subagent ends. Everything is read-only: the
// library refuses SET.
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
// in the form of snmpd's agentXSocket; if empty, net-snmp's default.
void serve(Tables& tables, FdbTable& addresses, const std::string& master,
           const volatile std::sig_atomic_t& stop);

}  // namespace sluice::snmp
