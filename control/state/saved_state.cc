#include "control/state/saved_state.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "control/state/checksum.h"

namespace sluice::control {

namespace {

using Json = nlohmann::ordered_json;

constexpr int version = 2;
constexpr uint64_t without_checksum = 1;  // version of files without a checksum
constexpr std::size_t address_digits = 12;
constexpr std::size_t age_digits = 8;
constexpr std::size_t entry_digits = address_digits + age_digits;
constexpr uint64_t highest_count = uint64_t{1} << 62;  // the sum of two counts does not overflow
constexpr VlanId highest_vlan = 4094;

const std::string* word_in(const Json& row, const char* key) {
    const auto found = row.find(key);
    const auto* const word = found == row.end() ? nullptr : found->get_ptr<const std::string*>();
    return word != nullptr && !word->empty() ? word : nullptr;
}

std::optional<uint64_t> number_in(const Json& row, const char* key, uint64_t highest) {
    const auto found = row.find(key);
    if (found == row.end() || !found->is_number_unsigned()) return {};
    const auto number = found->get<uint64_t>();
    return number <= highest ? std::optional(number) : std::nullopt;
}

std::optional<uint64_t> hexadecimal(std::string_view digits) {
    uint64_t number = 0;
    const auto [end, error] = std::from_chars(digits.begin(), digits.end(), number, 16);
    return error == std::errc{} && end == digits.end() ? std::optional(number) : std::nullopt;
}

std::optional<SavedPlace> place_in(const Json& row) {
    if (!row.is_object()) return {};
    if (const std::string* const name = word_in(row, "aggregation")) {
        return row.size() == 1 ? std::optional(SavedPlace{*name, {}}) : std::nullopt;
    }
    const std::string* const name = word_in(row, "port");
    const std::string* const device = word_in(row, "device");
    if (name == nullptr || device == nullptr || row.size() != 2) return {};
    return SavedPlace{*name, *device};
}

std::optional<SavedAddresses> addresses_in(const Json& row, std::size_t places) {
    if (!row.is_object() || row.size() != 4 || places == 0) return {};
    const auto place = number_in(row, "place", places - 1);
    const auto vlan = number_in(row, "vlan", highest_vlan);
    const std::string* const name = word_in(row, "family");
    const auto entries = row.find("entries");
    if (!place || !vlan || name == nullptr || entries == row.end()) return {};
    const auto* const family = std::ranges::find(format_family_names, *name);
    const auto* const digits = entries->get_ptr<const std::string*>();
    const bool whole = digits != nullptr && digits->size() % entry_digits == 0;
    if (family == format_family_names.end() || !whole) return {};
    SavedAddresses read{
        .place = *place,
        .family = static_cast<FormatFamily>(std::distance(format_family_names.begin(), family)),
        .vlan = static_cast<VlanId>(*vlan),
        .addresses = {},
    };
    for (std::size_t at = 0; at < digits->size(); at += entry_digits) {
        const std::string_view entry = std::string_view(*digits).substr(at, entry_digits);
        const auto address = hexadecimal(entry.substr(0, address_digits));
        const auto age = hexadecimal(entry.substr(address_digits));
        if (!address || !age || !can_be_saved(read.family, read.vlan, {*address})) return {};
        read.addresses.push_back({{*address}, static_cast<uint32_t>(*age)});
    }
    return read;
}

std::optional<SavedCounters> counters_in(const Json& row, std::size_t places) {
    if (!row.is_object() || row.size() != 2 || places == 0) return {};
    const auto place = number_in(row, "place", places - 1);
    const auto counts = row.find("counts");
    if (!place || counts == row.end() || !counts->is_object() || counts->size() > most_counts) {
        return {};
    }
    SavedCounters read{.place = *place, .counts = {}};
    for (const auto& [name, pair] : counts->items()) {
        const bool is_pair = pair.is_array() && pair.size() == 2 && pair[0].is_number_unsigned() &&
                             pair[1].is_number_unsigned();
        if (!is_pair) return {};
        const SavedCount count{pair[0].get<uint64_t>(), pair[1].get<uint64_t>()};
        if (count.total > highest_count || count.shown > count.total) return {};
        read.counts.insert_or_assign(name, count);
    }
    return read;
}

// Returns the rows of the list, each parsed by `read`; empty if one of them is invalid.
template <class Row, class Read>
std::optional<std::vector<Row>> rows_in(const Json& file, const char* key, Read read) {
    const auto list = file.find(key);
    if (list == file.end() || !list->is_array()) return {};
    std::vector<Row> rows;
    for (const Json& item : *list) {
        std::optional<Row> row = read(item);
        if (!row) return {};
        rows.push_back(std::move(*row));
    }
    return rows;
}

bool are_in_order(const std::vector<SavedCounters>& counters) {
    return std::ranges::adjacent_find(counters, [](const auto& one, const auto& next) {
               return one.place >= next.place;
           }) == counters.end();
}

std::optional<SavedState> state_in(const Json& file) {
    const auto saved_at = number_in(file, "saved_at", INT64_MAX);
    if (!saved_at) return {};
    auto places = rows_in<SavedPlace>(file, "places", place_in);
    if (!places || places->size() > most_places) return {};
    auto fdb = rows_in<SavedAddresses>(
        file, "fdb", [&](const Json& row) { return addresses_in(row, places->size()); });
    auto counters = rows_in<SavedCounters>(
        file, "counters", [&](const Json& row) { return counters_in(row, places->size()); });
    if (!fdb || !counters || !are_in_order(*counters)) return {};
    std::size_t addresses = 0;
    for (const SavedAddresses& of : *fdb) addresses += of.addresses.size();
    if (addresses > most_addresses) return {};
    return SavedState{.saved_at = static_cast<int64_t>(*saved_at),
                      .places = std::move(*places),
                      .fdb = std::move(*fdb),
                      .counters = std::move(*counters)};
}

std::string digits_of(const std::vector<SavedAddress>& addresses) {
    std::string digits;
    digits.reserve(addresses.size() * entry_digits);
    for (const auto& [address, age] : addresses) {
        fmt::format_to(std::back_inserter(digits), "{:012x}{:08x}", address.bits, age);
    }
    return digits;
}

}  // namespace

bool can_be_saved(FormatFamily family, VlanId vlan, MacAddress address) {
    if (vlan == 0 || vlan > highest_vlan) return false;
    if (has_ids(family)) return address.bits <= highest_id(family);
    return family != FormatFamily::ethernet || !address.is_group();
}

tl::expected<SavedState, std::string> SavedState::read(std::string_view text) {
    const auto refused = [](std::string why) { return tl::unexpected(std::move(why)); };
    if (text.size() > longest_state) return refused("damaged");
    const Json file = Json::parse(text, nullptr, false);
    const auto written = file.is_object() ? number_in(file, "version", INT64_MAX) : std::nullopt;
    if (!written || *written == 0) return refused("damaged");
    const Checksum checksum = checksum_of(text);
    if (checksum == Checksum::wrong) return refused("damaged (wrong checksum)");
    if (*written > version) {
        return refused(fmt::format("of a newer sluiced (version {}, and this one reads {})",
                                   *written, version));
    }
    const bool is_checked = checksum == Checksum::right;
    if (is_checked == (*written == without_checksum)) return refused("damaged");
    if (file.size() != (is_checked ? 6 : 5)) return refused("damaged");
    std::optional<SavedState> state = state_in(file);
    if (!state) return refused("damaged");
    return std::move(*state);
}

std::string SavedState::text() const {
    Json where = Json::array();
    for (const SavedPlace& place : places) {
        where.push_back(place.device.empty()
                            ? Json{{"aggregation", place.name}}
                            : Json{{"port", place.name}, {"device", place.device}});
    }
    Json learned = Json::array();
    for (const SavedAddresses& of : fdb) {
        learned.push_back({{"place", of.place},
                           {"family", name_of(of.family)},
                           {"vlan", of.vlan},
                           {"entries", digits_of(of.addresses)}});
    }
    Json counted = Json::array();
    for (const SavedCounters& of : counters) {
        Json counts = Json::object();
        for (const auto& [name, count] : of.counts) {
            const uint64_t total = std::min(count.total, highest_count);
            counts[name] = {total, std::min(count.shown, total)};
        }
        counted.push_back({{"place", of.place}, {"counts", std::move(counts)}});
    }
    const Json file = {{"version", version},
                       {"saved_at", saved_at},
                       {"places", std::move(where)},
                       {"fdb", std::move(learned)},
                       {"counters", std::move(counted)}};
    return with_checksum(file.dump(-1, ' ', false, Json::error_handler_t::replace) + '\n');
}

std::size_t SavedState::place_of(const SavedPlace& place) {
    const auto found = std::ranges::find(places, place);
    if (found != places.end()) return static_cast<std::size_t>(found - places.begin());
    places.push_back(place);
    return places.size() - 1;
}

}  // namespace sluice::control
