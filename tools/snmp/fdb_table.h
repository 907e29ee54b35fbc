// FdbTable: dot1dTpFdbTable (RFC 4188) and dot1qTpFdbTable (RFC 4363). They are read from the
// switch in pages, since there may be a million addresses.
//
// The first has the addresses of VLAN 1, as in an agent without VLANs. The second has those of
// every VLAN, with the VLAN as dot1qFdbId.
// Bound: one page of `page_rows`, at most a second old. For a page the switch reads every slot of
// its FDB. Families of addresses other than Ethernet's have no rows.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "tools/snmp/objects.h"
#include "tools/snmp/tables.h"

namespace sluice::snmp {

class FdbTable {
  public:
    static constexpr std::size_t page_rows = 2000;
    using Instance = std::pair<Oid, Value>;

    FdbTable(Tables::Ask ask, Tables& tables) : ask_(std::move(ask)), tables_(tables) {}

    // Returns the first instance of the table after `name`; with `at_it`, `name` itself is
    // included.
    std::optional<Instance> behind(const Oid& table, const Oid& name, bool at_it, const Now& now);

    static const Oid dot1d;
    static const Oid dot1q;

  private:
    struct Row {
        uint64_t place;  // VLAN and address as one number, in the table's order
        std::string port;
        std::string kind;
    };
    // Returns the first row after a position.
    const Row* row_behind(uint64_t place, const Now& now);

    Tables::Ask ask_;
    Tables& tables_;
    uint64_t page_behind_ = 0;
    std::optional<int64_t> page_ms_;
    bool is_last_ = false;
    std::vector<Row> page_;
};

}  // namespace sluice::snmp
