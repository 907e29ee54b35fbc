#include "control/trace/request.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <initializer_list>

#include "config/yaml/values.h"
#include "control/trace/frame_description.h"
#include "dataplane/types/frame_format.h"

namespace sluice::control {

namespace {

using nlohmann::json;

tl::unexpected<std::string> wrong_trace(std::string why) { return tl::unexpected(std::move(why)); }

bool has_no_keys_but(const json& object, std::initializer_list<std::string_view> keys) {
    return std::ranges::all_of(object.items(), [&](const auto& item) {
        return std::ranges::find(keys, item.key()) != keys.end();
    });
}

// Returns the number of a key. Returns empty if the key is missing; also sets `wrong` if the value
// is no number from `least` to `most`.
std::optional<uint64_t> number_at(const json& object, const char* key, uint64_t least,
                                  uint64_t most, bool& wrong) {
    const auto found = object.find(key);
    if (found == object.end()) return {};
    const auto* number = found->get_ptr<const json::number_unsigned_t*>();
    wrong = number == nullptr || *number < least || *number > most;
    return wrong ? std::nullopt : std::optional<uint64_t>(*number);
}

std::optional<MacAddress> address_at(const json& object, const char* key, bool& wrong) {
    const auto found = object.find(key);
    if (found == object.end()) return {};
    const auto* text = found->get_ptr<const std::string*>();
    const auto address = text == nullptr ? std::nullopt : parse_address(*text);
    wrong = !address;
    return address;
}

}  // namespace

std::optional<MacAddress> parse_address(std::string_view text) {
    uint64_t bits = 0;
    const char* const end = text.data() + text.size();
    if (text.find_first_of(":-") == std::string_view::npos) {
        const auto [stop, error] = std::from_chars(text.data(), end, bits);
        if (error != std::errc() || stop != end || bits > highest_id(FormatFamily::afh_32))
            return {};
        return MacAddress{bits};
    }
    const auto octets = config::parse_address(text);
    if (!octets) return {};
    return MacAddress{static_cast<uint64_t>(*octets)};
}

tl::expected<TraceRequest, std::string> parse_trace(const json& object) {
    const json& what = object["trace"];
    if (!what.is_object() || object.size() != 1 ||
        !has_no_keys_but(what, {"port", "dst", "src", "vlan", "priority", "frames", "for_s"})) {
        return wrong_trace(
            R"(trace: other keys than it has; {"trace": {"port": NAME, "dst": MAC, "src": MAC, )"
            R"("vlan": V, "priority": P, "frames": N, "for_s": S}})");
    }
    TraceRequest request;
    if (const auto port = what.find("port"); port != what.end()) {
        const auto* name = port->get_ptr<const std::string*>();
        if (name == nullptr) return wrong_trace("port: not a name; the name of a port");
        request.port = *name;
    }
    bool wrong = false;
    for (const char* const key : {"dst", "src"}) {
        const auto address = address_at(what, key, wrong);
        if (wrong) {
            return wrong_trace(fmt::format(
                "{}: no address; such as 02:00:00:00:00:01, or an id from 0 to 65535", key));
        }
        (*key == 'd' ? request.filter.destination : request.filter.source) = address;
    }
    const auto vlan = number_at(what, "vlan", 1, 4094, wrong);
    if (wrong) return wrong_trace("vlan: no VLAN; a whole number from 1 to 4094");
    if (vlan) request.filter.vlan = static_cast<VlanId>(*vlan);
    const auto priority = number_at(what, "priority", 0, 7, wrong);
    if (wrong) return wrong_trace("priority: no priority; a whole number from 0 to 7");
    if (priority) request.filter.priority = static_cast<Priority>(*priority);
    const auto frames = number_at(what, "frames", 1, most_traced_frames, wrong);
    if (wrong) {
        return wrong_trace(
            fmt::format("frames: not so many; a whole number from 1 to {}", most_traced_frames));
    }
    request.filter.frames = static_cast<uint32_t>(frames.value_or(1));
    const auto seconds =
        number_at(what, "for_s", 1, static_cast<uint64_t>(TraceRequest::longest.count()), wrong);
    if (wrong) {
        return wrong_trace(fmt::format("for_s: no time; whole seconds from 1 to {}",
                                       TraceRequest::longest.count()));
    }
    if (seconds) request.within = std::chrono::seconds(*seconds);
    return request;
}

tl::expected<WhatIfRequest, std::string> parse_what_if(const json& object) {
    const json& what = object["what_if"];
    const std::string* words = nullptr;
    const std::string* port = nullptr;
    if (what.is_object() && object.size() == 1 && has_no_keys_but(what, {"frame", "port"})) {
        if (what.contains("frame")) words = what["frame"].get_ptr<const std::string*>();
        if (what.contains("port")) port = what["port"].get_ptr<const std::string*>();
    }
    if (words == nullptr || port == nullptr) {
        return wrong_trace(R"(what_if: other keys than it has; {"what_if": {"frame": DESCRIPTION, )"
                           R"("port": NAME}})");
    }
    auto octets = parse_frame(*words);
    if (!octets) return wrong_trace(octets.error());
    return WhatIfRequest{std::move(*octets), *port};
}

}  // namespace sluice::control
