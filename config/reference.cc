#include "config/reference.h"

#include <fmt/format.h>

#include <string_view>
#include <vector>

#include "config/yaml/fault.h"
#include "config/yaml/values.h"

namespace sluice::config {

namespace {

std::string shown(const Key& key, int64_t number) {
    switch (key.kind) {
        case Kind::share:
            return format_share(number);
        case Kind::probability:
            return format_probability(number);
        case Kind::size:
            return format_size(number);
        case Kind::rate:
            return format_rate(number);
        case Kind::time:
            return format_time(number);
        case Kind::length:
            return format_length(number);
        default:
            return fmt::format("{}", number);
    }
}

std::string ranged(const Key& key, std::string_view noun, std::string_view form = "") {
    return fmt::format("{}{} from {} to {}{}", key.or_zero ? "0 or " : "", noun,
                       shown(key, key.lowest), shown(key, key.highest), form);
}

// Returns the keys that each map must have, as `with id and ports`; empty if there are none.
std::string required_keys(const Key& map) {
    std::vector<std::string_view> names;
    for (const Key& key : map.inside) {
        if (key.required) names.push_back(key.name);
    }
    if (names.empty()) return {};
    const std::string_view last = names.back();
    names.pop_back();
    return names.empty() ? fmt::format("with {}", last)
                         : fmt::format("with {} and {}", joined(names, ", "), last);
}

std::string expected_list(const Key& key) {
    const Key& element = key.inside[0];
    if (key.or_one) {
        return fmt::format("{}, or a list of up to {} of them", expected(element), key.most);
    }
    std::string each = ", each " + expected(element);
    if (element.kind == Kind::map) {
        const std::string keys = required_keys(element);
        each = fmt::format(" {}{}{}", element.name, keys.empty() ? "" : ", each a map ", keys);
    }
    if (key.fewest == key.most) return fmt::format("a list of {}{}", key.most, each);
    if (key.fewest == 0) return fmt::format("a list of up to {}{}", key.most, each);
    return fmt::format("a list of {} to {}{}", key.fewest, key.most, each);
}

std::string expected_table(const Key& key) {
    const auto side = [](const Key& number) {
        return fmt::format("a {} {}-{}", number.name, number.lowest, number.highest);
    };
    return fmt::format("a map from {} to {}", side(key.inside[0]),
                       element_map(key) != nullptr ? "a map" : side(key.inside[1]));
}

std::string default_of(const Key& key) {
    if (key.required) return "required";
    if (!key.fallback.empty()) return fmt::format("`{}`", key.fallback);
    return std::string(key.worked_out);
}

// Adds one row for each key; `defaults` is only one row, as its keys are those of a port.
void add_rows(const Key& key, const std::string& path, std::string& rows) {
    if (!path.empty()) {
        const bool map = key.kind == Kind::map;
        rows += fmt::format("| `{}` | {} | {} | {} |\n", path, default_of(key),
                            map ? "a map" : expected(key), meaning(key));
    }
    if (path == "defaults") return;
    const Key* element = element_map(key);
    if (key.kind != Kind::map && element == nullptr) return;
    for (const Key& inner : element != nullptr ? element->inside : key.inside) {
        add_rows(
            inner,
            fmt::format("{}{}{}{}", path, any_element(key), path.empty() ? "" : ".", inner.name),
            rows);
    }
}

}  // namespace

std::string expected(const Key& key) {
    switch (key.kind) {
        case Kind::name:
            return "a name of up to 32 letters, digits and . _ - /";
        case Kind::device:
            return "a device such as af_packet:veth0";
        case Kind::socket:
        case Kind::folder:
            return "an absolute path of up to 107 octets";
        case Kind::endpoint:
            return "an address and a port such as 127.0.0.1:9475 or [::1]:9475";
        case Kind::origin:
            return "an origin such as http://192.0.2.1:9475 or https://leaf1.example";
        case Kind::text:
            return fmt::format("printable text of up to {} octets", key.highest);
        case Kind::boolean:
            return "true or false";
        case Kind::choice:
            return joined(key.choices, " or ");
        case Kind::whole:
            return ranged(key, key.power_of_two ? "a power of two" : "a whole number");
        case Kind::share:
            return ranged(key, "a number", " such as 0.5 or 1/8");
        case Kind::probability:
            return ranged(key, "a probability", " such as 0.2 or 1/50");
        case Kind::size:
            return ranged(key, key.power_of_two ? "a power of two" : "a size",
                          " in B, KiB, MiB or GiB");
        case Kind::rate:
            return ranged(key, "a rate", " in K, M, G or T");
        case Kind::time:
            return ranged(key, "a time", " in ns, us, ms or s");
        case Kind::length:
            return ranged(key, "a length", " in mm, m or km");
        case Kind::mask:
            return fmt::format("a mask from 0x{:x} to 0x{:x}", key.lowest, key.highest);
        case Kind::address:
            return "an address such as 02:00:00:00:00:01";
        case Kind::destination:
            return "an address of a station or a group such as 02:00:00:00:00:01";
        case Kind::group:
            return "an address of a group such as 01:00:5e:01:02:03";
        case Kind::vlans:
            return fmt::format("a VLAN or a range from {} to {} such as 100-200", key.lowest,
                               key.highest);
        case Kind::list:
            return expected_list(key);
        case Kind::table:
            return expected_table(key);
        case Kind::map: {
            const std::string keys = required_keys(key);
            return keys.empty() ? "a map of keys" : fmt::format("a map {}", keys);
        }
    }
    return {};
}

std::string meaning(const Key& key) {
    return fmt::format("{}{}", key.help, key.restart ? "; needs a restart" : "");
}

std::string reference() {
    std::string rows =
        "| key | default | what may be written | meaning |\n| --- | --- | --- | --- |\n";
    add_rows(schema(), "", rows);
    return rows;
}

}  // namespace sluice::config
