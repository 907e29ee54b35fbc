// Whatever answers on the socket, every object made of it can be walked: names ascend, and values
// are as long as SNMP has room for.
//
// Input: lines of JSON: `ports`, `counters`, `lldp`, `vlan`, `spanning-tree` and `fdb`.
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "tests/fuzz/promises.h"
#include "tools/snmp/fdb_table.h"
#include "tools/snmp/tables.h"

namespace {

using namespace sluice::snmp;
using sluice::test::must;

constexpr std::array<std::string_view, 6> nouns = {"ports", "counters",      "lldp",
                                                   "vlan",  "spanning-tree", "fdb"};

Json parsed(std::string_view line) {
    const auto shallow = [](int depth, Json::parse_event_t, Json&) { return depth <= 32; };
    const Json read = Json::parse(line, shallow, false);
    return read.is_discarded() ? Json() : read;
}

void check(const Value& value) {
    must(value.octets.size() <= longest_text, "no value is longer than the MIBs know");
    must(value.object.size() <= 128, "a name has 128 numbers at the most");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* octets, size_t size) {
    std::string_view input(reinterpret_cast<const char*>(octets), size);
    std::map<std::string, Json, std::less<>> said;
    for (const std::string_view noun : nouns) {
        const std::size_t end = std::min(input.find('\n'), input.size());
        said.emplace(noun, parsed(input.substr(0, end)));
        input.remove_prefix(std::min(end + 1, input.size()));
    }
    const Tables::Ask ask = [&](const Json& request) {
        const auto found = said.find(request.at("show").get<std::string>());
        return std::optional(found == said.end() ? Json() : found->second);
    };
    Tables tables(ask);
    FdbTable addresses(ask, tables);
    const Now now{.steady_ms = 1000};
    for (const auto part : {Tables::Part::interfaces, Tables::Part::bridge, Tables::Part::lldp}) {
        for (const auto& [name, value] : tables.part(part, now).all()) {
            must(name.size() <= 128, "a name has 128 numbers at the most");
            check(value);
        }
    }
    for (const Oid& table : {FdbTable::dot1d, FdbTable::dot1q}) {
        Oid name = table;
        while (const auto next = addresses.behind(table, name, false, now)) {
            must(next->first > name, "a walk goes on");
            check(next->second);
            name = next->first;
        }
    }
    return 0;
}
