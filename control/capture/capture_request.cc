#include "control/capture/capture_request.h"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <utility>

namespace sluice::control {

namespace {

using nlohmann::json;
using Refused = std::optional<std::string>;

// Parses a whole number. Returns empty if `value` is no whole number, or exceeds `most`.
std::optional<uint64_t> number_in(const json& value, uint64_t most) {
    const auto* number = value.get_ptr<const json::number_unsigned_t*>();
    if (number == nullptr || *number > most) return std::nullopt;
    return *number;
}

Refused read_ports(const json& value, CaptureRequest& request) {
    if (value.is_array() && !value.empty() && value.size() <= max_ports &&
        std::ranges::all_of(value, &json::is_string)) {
        request.ports = value.get<std::vector<std::string>>();
        return {};
    }
    return "capture.ports: no names; a list of up to 64 names of ports";
}

Refused read_of(const json& value, CaptureRequest& request) {
    const char* const why = R"(capture.of: not what frames do; some of "in", "out" and "drops")";
    if (!value.is_array() || value.empty()) return why;
    for (const json& what : value) {
        if (what == "in") {
            request.received = true;
        } else if (what == "out") {
            request.sent = true;
        } else if (what == "drops") {
            request.dropped = true;
        } else {
            return why;
        }
    }
    return {};
}

Refused read_priorities(const json& value, CaptureRequest& request) {
    const char* const why = "capture.priorities: not priorities; a list of numbers from 0 to 7";
    if (!value.is_array() || value.empty()) return why;
    request.priorities = 0;
    for (const json& each : value) {
        const auto priority = number_in(each, max_priorities - 1);
        if (!priority) return why;
        request.priorities |= only_priority(static_cast<Priority>(*priority));
    }
    return {};
}

Refused read_snaplen(const json& value, CaptureRequest& request) {
    const auto octets = number_in(value, UINT16_MAX);
    if (!octets || *octets == 0) return "capture.snaplen: no length; octets, from 1 to 65535";
    request.snaplen = static_cast<uint16_t>(*octets);
    return {};
}

Refused read_count(const json& value, CaptureRequest& request) {
    const auto frames = number_in(value, std::numeric_limits<uint64_t>::max());
    if (!frames || *frames == 0) return "capture.count: no number of frames; 1 or more";
    request.count = *frames;
    return {};
}

std::optional<bpf_insn> instruction_of(const json& value) {
    if (!value.is_array() || value.size() != 4) return std::nullopt;
    const auto code = number_in(value[0], UINT16_MAX);
    const auto jump_true = number_in(value[1], UINT8_MAX);
    const auto jump_false = number_in(value[2], UINT8_MAX);
    const auto operand = number_in(value[3], UINT32_MAX);
    if (!code || !jump_true || !jump_false || !operand) return std::nullopt;
    return bpf_insn{.code = static_cast<u_short>(*code),
                    .jt = static_cast<u_char>(*jump_true),
                    .jf = static_cast<u_char>(*jump_false),
                    .k = static_cast<bpf_u_int32>(*operand)};
}

Refused read_filter(const json& value, CaptureRequest& request) {
    const char* const why =
        "capture.filter: no program of the BSD packet filter; a list of up to 512 instructions "
        "[code, jt, jf, k] that libpcap finds valid";
    if (!value.is_array() || value.size() > CaptureFilter::longest) return why;
    std::vector<bpf_insn> program;
    for (const json& each : value) {
        const auto instruction = instruction_of(each);
        if (!instruction) return why;
        program.push_back(*instruction);
    }
    auto filter = CaptureFilter::of(std::move(program));
    if (!filter) return why;
    request.filter = std::move(*filter);
    return {};
}

struct Key {
    std::string_view name;
    Refused (*read)(const json&, CaptureRequest&);
};
constexpr Key all_keys[] = {
    {"ports", read_ports},     {"of", read_of},       {"priorities", read_priorities},
    {"snaplen", read_snaplen}, {"count", read_count}, {"filter", read_filter},
};

}  // namespace

tl::expected<CaptureRequest, std::string> parse_capture(const json& object) {
    const json& what = object["capture"];
    if (object.size() != 1 || !what.is_object() || !what.contains("ports") ||
        !what.contains("of")) {
        return tl::unexpected<std::string>(
            R"(capture: not what it takes; {"capture": {"ports": [NAME], "of": ["in", "out"]}}, )"
            R"(with "priorities", "snaplen", "count" and "filter" as wished)");
    }
    CaptureRequest request;
    for (const auto& item : what.items()) {
        const auto* const key = std::ranges::find(all_keys, item.key(), &Key::name);
        if (key == std::end(all_keys)) {
            return tl::unexpected<std::string>(
                "capture: a key that it does not have; ports, of, priorities, snaplen, count and "
                "filter");
        }
        if (Refused why = key->read(item.value(), request)) return tl::unexpected(std::move(*why));
    }
    return request;
}

}  // namespace sluice::control
