#include "control/http/request.h"

#include <algorithm>

#include "control/http/tokens.h"

namespace sluice::control::http {

namespace {

Refusal bad(std::string why) { return {400, std::move(why)}; }

// Whether the text has only characters of tchar (RFC 9110 5.6.2).
bool is_token(std::string_view text) {
    static constexpr std::string_view marks = "!#$%&'*+-.^_`|~";
    return !text.empty() && std::ranges::all_of(text, [](char each) {
        const char letter = lower(each);
        return (letter >= 'a' && letter <= 'z') || (each >= '0' && each <= '9') ||
               marks.find(each) != std::string_view::npos;
    });
}

std::optional<unsigned> digit_of(char each) {
    const char letter = lower(each);
    if (letter >= '0' && letter <= '9') return static_cast<unsigned>(letter - '0');
    if (letter >= 'a' && letter <= 'f') return static_cast<unsigned>(letter - 'a' + 10);
    return {};
}

// Decodes percent-encoding: %41 is A. Returns empty for %00, and if two hex digits do not follow a
// %.
std::optional<std::string> decoded(std::string_view text, bool plus_is_space) {
    std::string plain;
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (text[at] == '+' && plus_is_space) {
            plain += ' ';
        } else if (text[at] != '%') {
            plain += text[at];
        } else {
            if (text.size() - at < 3) return {};
            const auto high = digit_of(text[at + 1]);
            const auto low = digit_of(text[at + 2]);
            if (!high || !low || (*high == 0 && *low == 0)) return {};
            plain += static_cast<char>(*high << 4 | *low);
            at += 2;
        }
    }
    return plain;
}

// If the target is absolute (RFC 9112 3.2.2), such as http://127.0.0.1:9475/metrics, removes scheme
// and authority and returns the authority, which replaces the Host field. Returns empty for other
// targets.
std::string take_authority(std::string_view& target) {
    constexpr std::string_view scheme = "http://";
    if (!same_name(target.substr(0, scheme.size()), scheme)) return {};
    target.remove_prefix(scheme.size());
    const std::string_view authority = target.substr(0, target.find_first_of("/?"));
    target.remove_prefix(authority.size());
    if (target.empty()) target = "/";
    return std::string(authority);
}

std::optional<Refusal> read_target(std::string_view target, Request& request) {
    const bool visible = std::ranges::all_of(target, [](char each) {
        return static_cast<unsigned char>(each) > ' ' && static_cast<unsigned char>(each) < 0x7F;
    });
    if (visible) request.host = take_authority(target);
    if (!target.starts_with('/') || !visible) return bad("target: no path; one that begins with /");
    std::string_view query = target;
    auto path = decoded(next_until(query, "?"), false);
    if (!path) return bad("target: a % without two digits; %25 for the sign itself");
    request.path = std::move(*path);
    while (!query.empty()) {
        std::string_view value = next_until(query, "&");
        if (value.empty()) continue;
        auto name = decoded(next_until(value, "="), true);
        auto meaning = decoded(value, true);
        if (!name || !meaning) return bad("query: a % without two digits; %25 for the sign itself");
        if (request.query.size() == most_parameters) return bad("query: too much; less is right");
        request.query.emplace_back(std::move(*name), std::move(*meaning));
    }
    return {};
}

std::optional<Refusal> read_first_line(std::string_view line, Request& request) {
    const std::string_view method = next_until(line, " ");
    const std::string_view target = next_until(line, " ");
    if (line != "HTTP/1.1" && line != "HTTP/1.0") {
        if (line.size() == 8 && line.starts_with("HTTP/"))
            return Refusal{505, "version: HTTP/1.1 or HTTP/1.0"};
        return bad("first line: no request; such as GET /metrics HTTP/1.1");
    }
    if (!is_token(method)) return bad("method: no word; GET or HEAD");
    if (method != "GET" && method != "HEAD") {
        return Refusal{405, "method: the API is read-only; use GET or HEAD"};
    }
    request.head = method == "HEAD";
    request.keep_alive = line == "HTTP/1.1";
    return read_target(target, request);
}

std::optional<Refusal> read_field(std::string_view line, Request& request, bool& host_came) {
    std::string_view value = line;
    const std::string_view name = next_until(value, ":");
    if (name.size() == line.size() || !is_token(name)) return bad("field: no NAME: VALUE");
    value = trimmed(value);
    const bool clean = std::ranges::all_of(value, [](char each) {
        const auto octet = static_cast<unsigned char>(each);
        return (octet >= ' ' && octet != 0x7F) || octet == '\t';
    });
    if (!clean) return bad("field: a control character in its value");
    if (same_name(name, "host")) {
        if (host_came) return bad("host: given twice; send it once");
        host_came = true;
        if (request.host.empty()) request.host = value;
    } else if (same_name(name, "accept")) {
        request.accept += request.accept.empty() ? "" : ",";
        request.accept += value;
    } else if (same_name(name, "origin")) {
        request.origin = value;
    } else if (same_name(name, "last-event-id")) {
        request.last_event_id = value;
    } else if (same_name(name, "authorization")) {
        if (!request.authorization.empty()) return bad("authorization: given twice; send it once");
        request.authorization = value;
    } else if (same_name(name, "connection")) {
        for (std::string_view rest = value; !rest.empty();) {
            if (same_name(trimmed(next_until(rest, ",")), "close")) request.keep_alive = false;
        }
    } else if (same_name(name, "transfer-encoding") ||
               (same_name(name, "content-length") && value != "0")) {
        return Refusal{413, "body: not accepted; send a request without one"};
    }
    return {};
}

}  // namespace

const std::string* Request::parameter(std::string_view name) const {
    const auto found = std::ranges::find(query, name, &std::pair<std::string, std::string>::first);
    return found == query.end() ? nullptr : &found->second;
}

std::optional<std::size_t> head_length(std::string_view received) {
    const std::size_t end = received.find("\r\n\r\n");
    if (end == std::string_view::npos) return {};
    return end + 4;
}

tl::expected<Request, Refusal> parse_head(std::string_view head) {
    Request request;
    if (auto refusal = read_first_line(next_until(head, "\r\n"), request)) {
        return tl::unexpected(std::move(*refusal));
    }
    bool host_came = false;
    while (!head.empty()) {
        const std::string_view line = next_until(head, "\r\n");
        if (line.empty()) break;
        if (auto refusal = read_field(line, request, host_came)) {
            return tl::unexpected(std::move(*refusal));
        }
    }
    if (request.keep_alive && !host_came)
        return tl::unexpected(bad("host: missing; HTTP/1.1 has one"));
    return request;
}

}  // namespace sluice::control::http
