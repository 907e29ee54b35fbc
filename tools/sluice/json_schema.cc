#include "tools/sluice/json_schema.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "config/device_kind.h"
#include "config/reference.h"
#include "config/version.h"
#include "config/yaml/values.h"
#include "tools/sluice/json_text.h"

namespace sluice::cli {

namespace {

using config::Key;
using config::Kind;

// Returns a pattern for a MAC address: one octet in hexadecimal, then five more.
std::string address_pattern(std::string_view first_octet) {
    return fmt::format("^{}([:-][0-9a-fA-F]{{2}}){{5}}$", first_octet);
}

std::string with_unit(std::string_view units) {
    return fmt::format("^(0|[1-9][0-9]*)([.][0-9]+)?({})$", units);
}

Json whole_number(const Key& key) {
    Json range = {{"type", "integer"}, {"minimum", key.lowest}, {"maximum", key.highest}};
    if (key.power_of_two) {
        Json powers = Json::array();
        for (int64_t power = 1; power <= key.highest && power > 0; power *= 2) {
            if (power >= key.lowest) powers.push_back(power);
        }
        range = {{"enum", std::move(powers)}};
    }
    if (!key.or_zero) return range;
    return {{"anyOf", Json::array({{{"const", 0}}, std::move(range)})}};
}

Json pattern(std::string_view text) { return {{"type", "string"}, {"pattern", text}}; }

Json either(Json one, Json another) {
    return {{"anyOf", Json::array({std::move(one), std::move(another)})}};
}

// Returns the schema of a number that is rounded to the nearest multiple of 1 / `steps`.
Json fraction(const Key& key, double steps) {
    const double highest = (static_cast<double>(key.highest) + 0.5) / steps;
    return either({{"type", "number"}, {"minimum", 0}, {"maximum", highest}},
                  pattern("^[0-9]+/[1-9][0-9]*$"));
}

Json device() {
    Json made = pattern(fmt::format("^(({}):.+|null:)$", fmt::join(config::device_schemes(), "|")));
    // Examples have no device options: an editor inserts an example, and the user only replaces the
    // names in it.
    for (const DeviceTraits& traits : device_kinds) {
        constexpr std::string_view between = " or ";
        for (std::string_view rest = traits.form; !rest.empty();) {
            const std::string_view form = rest.substr(0, rest.find(between));
            made["examples"].push_back(form.substr(0, form.find('[')));
            rest.remove_prefix(std::min(rest.size(), form.size() + between.size()));
        }
    }
    return made;
}

// Returns the default of a scalar as JSON of its kind; null for lists and maps.
Json fallback(const Key& key) {
    if (key.fallback.empty() || key.kind >= Kind::list) return {};
    const bool is_word =
        key.kind == Kind::name || key.kind == Kind::text || key.kind == Kind::choice;
    const Json value = Json::parse(key.fallback, nullptr, false);
    return value.is_discarded() || is_word ? Json(key.fallback) : value;
}

// Returns the choices as YAML reads them: 0x88a8 is a number, and in YAML 1.1 `on` is true.
Json words_of(const Key& key) {
    Json words = Json::array();
    for (const std::string_view choice : key.choices) {
        words.push_back(choice);
        if (const config::Parsed number = config::parse_whole(choice)) words.push_back(*number);
        if (choice == "on") words.push_back(true);
        if (choice == "off") words.push_back(false);
    }
    return words;
}

Json scalar(const Key& key) {
    switch (key.kind) {
        case Kind::name:
            return either(pattern("^[A-Za-z0-9._/-]{1,32}$"),
                          {{"type", Json::array({"number", "boolean"})}});
        case Kind::device:
            return device();
        case Kind::socket:
        case Kind::folder:
            return pattern("^/.{0,106}$");
        case Kind::endpoint:
        case Kind::origin:
            return {{"type", "string"}};
        case Kind::text:
            return either({{"type", "string"}, {"minLength", 1}, {"maxLength", key.highest}},
                          {{"type", Json::array({"number", "boolean"})}});
        case Kind::boolean:
            return {{"type", "boolean"}};
        case Kind::choice:
            return {{"enum", words_of(key)}};
        case Kind::share:
            return fraction(key, 128);
        case Kind::probability:
            return fraction(key, 65536);
        case Kind::size:
            return either(whole_number(key), pattern(with_unit("B|KiB|MiB|GiB")));
        case Kind::rate:
            return either(whole_number(key), pattern(with_unit("K|M|G|T")));
        case Kind::time:
            return either({{"const", 0}}, pattern(with_unit("ns|us|ms|s")));
        case Kind::length:
            return either({{"const", 0}}, pattern(with_unit("mm|m|km")));
        case Kind::mask:
            return either(whole_number(key), pattern("^0x[0-9a-fA-F]+$"));
        case Kind::address:
            return pattern(address_pattern("[0-9a-fA-F][02468aceACE]"));
        case Kind::group:
            return pattern(address_pattern("[0-9a-fA-F][13579bdfBDF]"));
        case Kind::destination:
            return pattern(address_pattern("[0-9a-fA-F]{2}"));
        case Kind::vlans:
            return either(whole_number(key), pattern("^[0-9]+-[0-9]+$"));
        default:
            return whole_number(key);
    }
}

Json described(const Key& key, bool complete);

// `complete`: required keys must be in the map itself, as no other map supplies them.
Json map(const Key& key, bool complete) {
    Json properties = Json::object();
    Json required = Json::array();
    const bool of_a_port = key.name == "ports" || key.name == "defaults";
    for (const Key& inner : key.inside) {
        // A port inherits absent keys from `defaults`, also within its maps.
        const bool own = complete && !(of_a_port && inner.kind == Kind::map);
        properties[std::string(inner.name)] = described(inner, own);
        if (inner.required && complete) required.push_back(inner.name);
    }
    Json made = {{"type", Json::array({"object", "null"})}, {"properties", std::move(properties)}};
    if (!required.empty()) {
        made["type"] = "object";
        made["required"] = std::move(required);
    }
    made["additionalProperties"] = false;
    return made;
}

Json list(const Key& key) {
    Json items = described(key.inside[0], true);
    Json made = {{"type", "array"}, {"items", items}, {"maxItems", key.most}};
    if (key.fewest > 0) made["minItems"] = key.fewest;
    if (key.distinct) made["uniqueItems"] = true;
    return key.or_one ? either(std::move(items), std::move(made)) : made;
}

// A table's keys are numbers, but keys in JSON are strings: so a pattern lists the allowed numbers
// as text.
Json table(const Key& key) {
    std::string numbers;
    for (int64_t number = key.inside[0].lowest; number <= key.inside[0].highest; ++number) {
        numbers += fmt::format("{}{}", numbers.empty() ? "" : "|", number);
    }
    return {{"type", "object"},
            {"propertyNames", {{"pattern", fmt::format("^({}|0x[0-9a-fA-F]+)$", numbers)}}},
            {"additionalProperties", described(key.inside[1], true)}};
}

Json shape(const Key& key, bool complete) {
    switch (key.kind) {
        case Kind::map:
            return map(key, complete);
        case Kind::list:
            return list(key);
        case Kind::table:
            return table(key);
        default:
            return scalar(key);
    }
}

Json described(const Key& key, bool complete) {
    Json made = shape(key, complete);
    if (Json value = fallback(key); !value.is_null()) made["default"] = std::move(value);
    std::string text = config::meaning(key);
    if (key.kind != Kind::map) {
        text += fmt::format("{}{}", text.empty() ? "" : "\n\n", config::expected(key));
        if (!key.fallback.empty()) text += fmt::format("\nDefault: {}", key.fallback);
        if (!key.worked_out.empty()) text += fmt::format("\nDefault: {}", key.worked_out);
    }
    if (!text.empty()) made["description"] = text;
    return made;
}

}  // namespace

Json json_schema(const Key& root) {
    Json made = {{"$schema", "http://json-schema.org/draft-07/schema#"},
                 {"title", fmt::format("Configuration of Sluice {}", version())}};
    made.update(map(root, true));
    return made;
}

int print_schema() {
    fmt::print("{}\n", json_text(json_schema(config::schema()), 1));
    return 0;
}

}  // namespace sluice::cli
