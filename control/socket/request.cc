#include "control/socket/request.h"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <nlohmann/json.hpp>

#include "control/show/nouns.h"

namespace sluice::control {

namespace {

using nlohmann::json;
using Parsed = tl::expected<Request, std::string>;

constexpr std::size_t longest_name = 4096;  // PATH_MAX of Linux
constexpr std::size_t longest_change = 200;

Parsed refuse(std::string why) { return tl::unexpected(std::move(why)); }

bool has_only(const json& object, std::initializer_list<std::string_view> keys) {
    return std::ranges::all_of(object.items(), [&](const auto& item) {
        return std::ranges::find(keys, item.key()) != keys.end();
    });
}

const std::string* text_at(const json& object, const char* key) {
    const auto found = object.find(key);
    return found == object.end() ? nullptr : found->get_ptr<const std::string*>();
}

// Returns which rows are requested, or why the filter is invalid.
tl::expected<ShowFilter, std::string> parse_filter(const json& object) {
    ShowFilter filter;
    const auto number_at = [&](const char* key, uint64_t least, uint64_t most) {
        const auto found = object.find(key);
        const auto* number =
            found == object.end() ? nullptr : found->get_ptr<const json::number_unsigned_t*>();
        return number != nullptr && *number >= least && *number <= most
                   ? std::optional<uint64_t>(*number)
                   : std::nullopt;
    };
    if (const auto ports = object.find("ports"); ports != object.end()) {
        const auto is_name = [](const json& name) { return name.is_string(); };
        if (!ports->is_array() || ports->size() > max_ports || ports->empty() ||
            !std::ranges::all_of(*ports, is_name)) {
            return tl::unexpected<std::string>("ports: no list of names; [NAME, ...]");
        }
        filter.ports = ports->get<std::vector<std::string>>();
    }
    if (object.contains("vlan")) {
        const auto vlan = number_at("vlan", 1, 4094);
        if (!vlan) return tl::unexpected<std::string>("vlan: no VLAN; a number from 1 to 4094");
        filter.vlan = static_cast<VlanId>(*vlan);
    }
    if (object.contains("priority")) {
        const auto priority = number_at("priority", 0, 7);
        if (!priority) {
            return tl::unexpected<std::string>("priority: no priority; a number from 0 to 7");
        }
        filter.priority = static_cast<Priority>(*priority);
    }
    if (object.contains("address")) {
        const std::string* text = text_at(object, "address");
        filter.address = text != nullptr ? parse_address(*text) : std::nullopt;
        if (!filter.address) {
            return tl::unexpected<std::string>(
                "address: no address; six octets with colons, or an AFH ID");
        }
    }
    return filter;
}

// Returns the requested page; empty if the page is invalid.
std::optional<FdbPage> parse_page(const json& object) {
    const auto number_at = [](const json& in, const char* key, uint64_t most) {
        const auto found = in.find(key);
        const auto* number =
            found == in.end() ? nullptr : found->get_ptr<const json::number_unsigned_t*>();
        return number != nullptr && *number <= most ? *number : 0;
    };
    FdbPage page{.limit = number_at(object, "limit", longest_fdb_page)};
    if (page.limit == 0) return std::nullopt;
    const auto after = object.find("after");
    if (after == object.end()) return page;
    if (!after->is_object() || !has_only(*after, {"vlan", "address"})) return std::nullopt;
    const std::string* text = text_at(*after, "address");
    const auto address = text != nullptr ? parse_address(*text) : std::nullopt;
    page.vlan = static_cast<VlanId>(number_at(*after, "vlan", 4094));
    if (!address || page.vlan == 0) return std::nullopt;
    page.address = *address;
    return page;
}

Parsed parse_show(const json& object) {
    const std::string* noun = text_at(object, "show");
    if (noun == nullptr || !is_noun(*noun)) {
        return refuse("show: no such noun; one of " + list_of_nouns());
    }
    const auto all = object.find("all");
    const auto since = object.find("since");
    const bool has_since = since != object.end();
    const bool has_page = object.contains("limit") || object.contains("after");
    if (!has_only(object, {"show", "all", "since", "ports", "vlan", "address", "priority", "limit",
                           "after"}) ||
        (all != object.end() && !all->is_boolean()) || (has_page && *noun != "fdb") ||
        (has_since && (*noun != "events" || !since->is_number_unsigned()))) {
        return refuse(R"(show: other keys than it has; {"show": NOUN, "all": true or false}, )"
                      R"(or {"show": "events", "since": NUMBER}, with ports, vlan, address or )"
                      R"(priority to have some rows, and of fdb with limit and after)");
    }
    auto filter = parse_filter(object);
    if (!filter) return refuse(filter.error());
    if (std::string why = refusal_of(*filter, *noun); !why.empty()) return refuse(std::move(why));
    ShowRequest request{*noun, all != object.end() && all->get<bool>(), {}, std::move(*filter)};
    if (has_since) request.since = since->get<uint64_t>();
    if (has_page) {
        request.page = parse_page(object);
        if (!request.page) {
            return refuse(fmt::format(R"(limit: no page; {{"limit": 1 to {}}}, with )"
                                      R"({{"after": {{"vlan": V, "address": MAC}}}})",
                                      longest_fdb_page));
        }
    }
    return request;
}

Parsed parse_apply(const json& object) {
    const json& what = object["apply"];
    const std::string* file = what.is_object() ? text_at(what, "file") : nullptr;
    const std::string* text = what.is_object() ? text_at(what, "text") : nullptr;
    if (file == nullptr || text == nullptr || !has_only(object, {"apply"}) ||
        !has_only(what, {"file", "text", "confirm_s", "number", "change"})) {
        return refuse(R"(apply: not a file; {"apply": {"file": NAME, "text": CONTENT}})");
    }
    if (file->size() > longest_name) {  // messages about faults begin with the name
        return refuse(
            fmt::format("apply: a name of {} octets; one of up to {}", file->size(), longest_name));
    }
    ApplyRequest request{.file = *file, .text = *text};
    if (const auto within = what.find("confirm_s"); within != what.end()) {
        const auto* seconds = within->get_ptr<const json::number_unsigned_t*>();
        if (seconds == nullptr || *seconds < 1 || *seconds > 3600) {
            return refuse("confirm_s: no time; whole seconds from 1 to 3600");
        }
        request.confirm_within = std::chrono::seconds(*seconds);
    }
    if (const auto number = what.find("number"); number != what.end()) {
        if (!number->is_number_unsigned()) return refuse("number: none; that of source");
        request.number = number->get<uint64_t>();
    }
    if (what.contains("change")) {
        const std::string* change = text_at(what, "change");
        if (change == nullptr || change->size() > longest_change) {
            return refuse(
                fmt::format("change: no text; what is done, in up to {} octets", longest_change));
        }
        request.change = *change;
    }
    return request;
}

Parsed parse_source(const json& object) {
    if (object["source"] != true || !has_only(object, {"source"})) {
        return refuse(R"(source: not what it takes; {"source": true})");
    }
    return SourceRequest{};
}

Parsed parse_saved(const json& object) {
    const std::string* text = text_at(object, "saved");
    if (text == nullptr || !has_only(object, {"saved"})) {
        return refuse(R"(saved: not a text; {"saved": CONTENT})");
    }
    return SavedRequest{*text};
}

Parsed parse_confirm(const json& object) {
    if (object["confirm"] != true || !has_only(object, {"confirm"})) {
        return refuse(R"(confirm: not what it takes; {"confirm": true})");
    }
    return ConfirmRequest{};
}

Parsed parse_flush(const json& object) {
    const std::string* what = text_at(object, "flush");
    if (what == nullptr || *what != "fdb" || !has_only(object, {"flush", "vlan", "port"})) {
        return refuse(R"(flush: not something that can be flushed; {"flush": "fdb"})");
    }
    FlushFdbRequest request;
    if (const auto vlan = object.find("vlan"); vlan != object.end()) {
        const auto* number = vlan->get_ptr<const json::number_unsigned_t*>();
        if (number == nullptr || *number < 1 || *number > 4094) {
            return refuse("vlan: no VLAN; a whole number from 1 to 4094");
        }
        request.vlan = static_cast<VlanId>(*number);
    }
    if (object.contains("port")) {
        const std::string* port = text_at(object, "port");
        if (port == nullptr) return refuse("port: not a name; the name of a port");
        request.port = *port;
    }
    if (request.vlan && request.port) {
        return refuse("flush: of a VLAN or at a port, not both; one of vlan and port");
    }
    return request;
}

Parsed parse_clear(const json& object) {
    const std::string* what = text_at(object, "clear");
    if (what != nullptr && has_only(object, {"clear"})) {
        if (*what == "counters") return ClearCountersRequest{};
        if (*what == "watermarks") return ClearWatermarksRequest{};
    }
    return refuse("clear: not something that can be cleared; \"counters\" or \"watermarks\"");
}

Parsed parse_try(const json& object) {
    const json& what = object["try_cable"];
    const auto is_name = [](const json& name) { return name.is_string(); };
    if (!has_only(object, {"try_cable"}) || !what.is_array() || what.size() != 2 ||
        !std::ranges::all_of(what, is_name) || what[0] == what[1]) {
        return refuse(R"(try_cable: not two ports; {"try_cable": [NAME, OTHER NAME]})");
    }
    return TryCableRequest{{what[0].get<std::string>(), what[1].get<std::string>()}};
}

Parsed parse_record(const json& object) {
    using Order = RecordRequest::Order;
    const std::string* order = text_at(object, "record");
    if (order != nullptr && has_only(object, {"record"})) {
        if (*order == "start") return RecordRequest{Order::start};
        if (*order == "stop") return RecordRequest{Order::stop};
        if (*order == "trigger") return RecordRequest{Order::trigger};
    }
    if (order == nullptr || *order != "dump" ||
        !has_only(object, {"record", "recording", "from"})) {
        return refuse(R"(record: no such order; "start", "stop", "trigger", or "dump" with )"
                      R"(recording and from)");
    }
    DumpRecordingRequest request;
    const auto number_at = [&](const char* key, uint64_t& number) {
        const auto found = object.find(key);
        if (found == object.end()) return true;
        const auto* whole = found->get_ptr<const json::number_unsigned_t*>();
        if (whole != nullptr) number = *whole;
        return whole != nullptr;
    };
    if (!number_at("recording", request.recording) || !number_at("from", request.from)) {
        return refuse("record: no number; recording and from are whole numbers");
    }
    return request;
}

}  // namespace

Parsed parse_request(std::string_view line) {
    const json object = json::parse(line, nullptr, false);
    if (!object.is_object()) return refuse("request: not JSON; one object a line");
    if (object.contains("show")) return parse_show(object);
    if (object.contains("apply")) return parse_apply(object);
    if (object.contains("confirm")) return parse_confirm(object);
    if (object.contains("source")) return parse_source(object);
    if (object.contains("saved")) return parse_saved(object);
    if (object.contains("flush")) return parse_flush(object);
    if (object.contains("clear")) return parse_clear(object);
    if (object.contains("capture")) return parse_capture(object);
    if (object.contains("trace")) return parse_trace(object);
    if (object.contains("what_if")) return parse_what_if(object);
    if (object.contains("try_cable")) return parse_try(object);
    if (object.contains("record")) return parse_record(object);
    return refuse(
        "request: no known request; show, apply, confirm, source, saved, flush, clear, capture, "
        "trace, what_if, try_cable or record");
}

}  // namespace sluice::control
