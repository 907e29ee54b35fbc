#include "config/value_text.h"

#include <fmt/format.h>

#include <map>

#include "config/yaml/values.h"
#include "config/yaml/vlan_range.h"

namespace sluice::config {

namespace {

bool has_text(const Key& key, const Value& value) { return value.written || !key.fallback.empty(); }

void add(std::string& row, const std::string& text) {
    if (!row.empty()) row += ", ";
    row += text;
}

std::string text_of_map(const Key& key, const Value& map) {
    std::string row;
    for (std::size_t index = 0; index < key.inside.size(); ++index) {
        const Key& inner = key.inside[index];
        const Value& value = map.items[index];
        if (inner.kind != Kind::map && !has_text(inner, value)) continue;
        add(row, fmt::format("{}: {}", inner.name, text_of(inner, value)));
    }
    return fmt::format("{{{}}}", row);
}

std::string text_of_list(const Key& key, const Value& list) {
    std::string row;
    for (const Value& item : list.items) add(row, text_of(key.inside[0], item));
    return fmt::format("[{}]", row);
}

// Returns the table in the order of its numbers.
std::string text_of_table(const Key& key, const Value& table) {
    std::map<int64_t, std::string> by_number;
    for (const Value& item : table.items) by_number[item.table_key] = text_of(key.inside[1], item);
    std::string row;
    for (const auto& [number, text] : by_number) add(row, fmt::format("{}: {}", number, text));
    return fmt::format("{{{}}}", row);
}

}  // namespace

std::string text_of(const Key& key, const Value& value) {
    if (key.kind == Kind::map) return text_of_map(key, value);
    if (!has_text(key, value) && !key.worked_out.empty()) {
        return std::string(key.worked_out.substr(0, key.worked_out.find_first_of(":;")));
    }
    switch (key.kind) {
        case Kind::list:
            return text_of_list(key, value);
        case Kind::table:
            return text_of_table(key, value);
        case Kind::boolean:
            return value.number != 0 ? "true" : "false";
        case Kind::whole:
            return fmt::format("{}", value.number);
        case Kind::share:
            return fmt::format("{:.6g}", static_cast<double>(value.number) / 128);
        case Kind::probability:
            return fmt::format("{:.6g}", static_cast<double>(value.number) / 65536);
        case Kind::size:
            return format_size(value.number);
        case Kind::rate:
            return format_rate(value.number);
        case Kind::time:
            return format_time(value.number);
        case Kind::length:
            return format_length(value.number);
        case Kind::mask:
            return fmt::format("{:#x}", value.number);
        case Kind::address:
        case Kind::destination:
        case Kind::group:
            return format_address(MacAddress{static_cast<uint64_t>(value.number)});
        case Kind::vlans: {
            const auto [first, last] = VlanRange::of(value.number);
            return first == last ? fmt::format("{}", first) : fmt::format("{}-{}", first, last);
        }
        default:
            return value.text;
    }
}

}  // namespace sluice::config
