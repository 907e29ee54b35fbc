#include "tools/snmp/agentx.h"

// These headers must be in this order.
// clang-format off
#include <net-snmp/net-snmp-config.h>
#include <net-snmp/net-snmp-includes.h>
#include <net-snmp/agent/net-snmp-agent-includes.h>
// clang-format on

#include <chrono>
#include <cstdlib>
#include <ctime>
#include <exception>
#include <vector>

namespace sluice::snmp {

namespace {

// Priority of these registrations. The master's own tables have the library's default, 127; of two
// tables the master queries the one with the lower number.
constexpr int before_the_masters_own = 100;

struct Served {
    Oid root;
    Tables* tables;
    Tables::Part part = Tables::Part::interfaces;
    FdbTable* addresses = nullptr;  // only for the tables of addresses
};

Now now() {
    using namespace std::chrono;
    return {duration_cast<milliseconds>(steady_clock::now().time_since_epoch()).count(),
            netsnmp_get_agent_uptime(), std::time(nullptr)};
}

std::vector<oid> library_oid(const Oid& name) { return {name.begin(), name.end()}; }

Oid own_oid(const oid* name, std::size_t length) {
    Oid own;
    for (std::size_t n = 0; n < length; ++n) own.push_back(static_cast<uint32_t>(name[n]));
    return own;
}

void set_value(netsnmp_variable_list* to, const Value& value) {
    const auto number = [&](u_char type) {
        const auto word = static_cast<long>(value.number);
        snmp_set_var_typed_value(to, type, &word, sizeof word);
    };
    switch (value.kind) {
        case Value::Kind::integer:
            return number(ASN_INTEGER);
        case Value::Kind::gauge:
            return number(ASN_GAUGE);
        case Value::Kind::counter:
            return number(ASN_COUNTER);
        case Value::Kind::time_ticks:
            return number(ASN_TIMETICKS);
        case Value::Kind::counter_64: {
            const counter64 halves{.high = value.number >> 32, .low = value.number & 0xFFFF'FFFF};
            snmp_set_var_typed_value(to, ASN_COUNTER64, &halves, sizeof halves);
            return;
        }
        case Value::Kind::octets:
            snmp_set_var_typed_value(to, ASN_OCTET_STR, value.octets.data(), value.octets.size());
            return;
        case Value::Kind::object: {
            const std::vector<oid> name = library_oid(value.object);
            snmp_set_var_typed_value(to, ASN_OBJECT_ID, name.data(), name.size() * sizeof(oid));
            return;
        }
    }
}

std::optional<FdbTable::Instance> found(const Served& served, const Oid& name, bool at_it) {
    if (served.addresses != nullptr) {
        return served.addresses->behind(served.root, name, at_it, now());
    }
    const auto* object = served.tables->part(served.part, now()).behind(name, at_it);
    return object == nullptr ? std::nullopt : std::optional(FdbTable::Instance(*object));
}

void answer(const Served& served, const netsnmp_agent_request_info& info,
            netsnmp_request_info& request) {
    const Oid name = own_oid(request.requestvb->name, request.requestvb->name_length);
    if (info.mode == MODE_GET) {
        const auto object = found(served, name, true);
        if (object && object->first == name) return set_value(request.requestvb, object->second);
        netsnmp_set_request_error(const_cast<netsnmp_agent_request_info*>(&info), &request,
                                  SNMP_NOSUCHINSTANCE);
        return;
    }
    // The library drops an object that lies after the requested range.
    const auto object = found(served, name, request.inclusive != 0);
    if (!object) return;
    const std::vector<oid> next = library_oid(object->first);
    snmp_set_var_objid(request.requestvb, next.data(), next.size());
    set_value(request.requestvb, object->second);
}

int handle(netsnmp_mib_handler* handler, netsnmp_handler_registration*,
           netsnmp_agent_request_info* info, netsnmp_request_info* requests) {
    const auto& served = *static_cast<const Served*>(handler->myvoid);
    for (netsnmp_request_info* request = requests; request != nullptr; request = request->next) {
        if (request->processed != 0) continue;
        try {
            answer(served, *info, *request);
        } catch (const std::exception&) {  // an exception must not pass through C code
            netsnmp_set_request_error(info, request, SNMP_ERR_GENERR);
        }
    }
    return SNMP_ERR_NOERROR;
}

void register_at(Served& served) {
    const std::vector<oid> root = library_oid(served.root);
    netsnmp_handler_registration* registration = netsnmp_create_handler_registration(
        "sluice", handle, root.data(), root.size(), HANDLER_CAN_RONLY);
    registration->handler->myvoid = &served;
    registration->priority = before_the_masters_own;
    netsnmp_register_handler(registration);
}

void set_up_library(const std::string& master) {
    constexpr const char* name = "sluice-snmp";
    setenv("MIBS", "", 1);  // reads no MIB files
    snmp_enable_stderrlog();
    netsnmp_enable_subagent();
    // Reads and writes no files of the machine.
    netsnmp_ds_set_boolean(NETSNMP_DS_LIBRARY_ID, NETSNMP_DS_LIB_DONT_READ_CONFIGS, 1);
    netsnmp_ds_set_boolean(NETSNMP_DS_LIBRARY_ID, NETSNMP_DS_LIB_DONT_PERSIST_STATE, 1);
    netsnmp_ds_set_boolean(NETSNMP_DS_APPLICATION_ID, NETSNMP_DS_AGENT_NO_ROOT_ACCESS, 1);
    if (!master.empty()) {
        netsnmp_ds_set_string(NETSNMP_DS_APPLICATION_ID, NETSNMP_DS_AGENT_X_SOCKET, master.c_str());
    }
    init_agent(name);
    // init_agent sets this value too, so it is set here, after init_agent.
    netsnmp_ds_set_int(NETSNMP_DS_APPLICATION_ID, NETSNMP_DS_AGENT_AGENTX_PING_INTERVAL,
                       reconnect_s);
}

}  // namespace

void serve(Tables& tables, FdbTable& addresses, const std::string& master,
           const volatile std::sig_atomic_t& stop) {
    using Part = Tables::Part;
    // No subtree may be inside another: the library would return objects of the outer one twice.
    std::vector<Served> all = {
        {{1, 3, 6, 1, 2, 1, 2, 1}, &tables, Part::interfaces},      // ifNumber
        {{1, 3, 6, 1, 2, 1, 2, 2}, &tables, Part::interfaces},      // ifTable
        {{1, 3, 6, 1, 2, 1, 31, 1, 1}, &tables, Part::interfaces},  // ifXTable
        {{1, 3, 6, 1, 2, 1, 31, 1, 5}, &tables, Part::interfaces},  // ifTableLastChange
        {{1, 3, 6, 1, 2, 1, 17, 1}, &tables, Part::bridge},         // dot1dBase
        {{1, 3, 6, 1, 2, 1, 17, 2}, &tables, Part::bridge},         // dot1dStp
        {FdbTable::dot1d, &tables, Part::bridge, &addresses},       // dot1dTpFdbTable
        {{1, 3, 6, 1, 2, 1, 17, 4, 4}, &tables, Part::bridge},      // dot1dTpPortTable
        {{1, 3, 6, 1, 2, 1, 17, 7, 1, 1}, &tables, Part::bridge},   // dot1qBase
        {FdbTable::dot1q, &tables, Part::bridge, &addresses},       // dot1qTpFdbTable
        {{1, 3, 6, 1, 2, 1, 17, 7, 1, 4}, &tables, Part::bridge},   // dot1qVlan
        {{1, 0, 8802, 1, 1, 2}, &tables, Part::lldp},               // LLDP-MIB
    };
    set_up_library(master);
    for (Served& served : all) register_at(served);
    init_snmp("sluice-snmp");
    // The absence of a master is reported once, not every two seconds.
    netsnmp_ds_set_boolean(NETSNMP_DS_APPLICATION_ID, NETSNMP_DS_AGENT_NO_CONNECTION_WARNINGS, 1);
    // The library wakes up by itself to check that the master still exists.
    while (stop == 0) agent_check_and_process(1);
    snmp_shutdown("sluice-snmp");
    shutdown_agent();
}

}  // namespace sluice::snmp
