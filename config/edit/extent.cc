#include "config/edit/extent.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <string>

namespace sluice::config {

namespace {

constexpr std::size_t most_lines = 64;  // the most lines of a plain scalar
constexpr std::string_view blanks = " \t";
constexpr std::string_view space = " \t\r\n";

bool is_one_of(char octet, std::string_view octets) {
    return octets.find(octet) != std::string_view::npos;
}

}  // namespace

Extent::Extent(std::string_view text) : text_(text), lines_{0} {
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (text[at] == '\n') lines_.push_back(at + 1);
    }
}

std::size_t Extent::offset_of(Position at) const {
    const auto line = std::min(static_cast<std::size_t>(std::max(at.line, 1)), lines_.size());
    return std::min(lines_[line - 1] + static_cast<std::size_t>(std::max(at.column, 1)) - 1,
                    text_.size());
}

std::size_t Extent::line_start(std::size_t at) const {
    const std::size_t before = at == 0 ? std::string_view::npos : text_.rfind('\n', at - 1);
    return before == std::string_view::npos ? 0 : before + 1;
}

std::size_t Extent::line_end(std::size_t at) const {
    const std::size_t end = std::min(text_.find('\n', at), text_.size());
    return end > at && text_[end - 1] == '\r' ? end - 1 : end;
}

std::size_t Extent::next_line(std::size_t at) const {
    const std::size_t end = text_.find('\n', at);
    return end == std::string_view::npos ? text_.size() : end + 1;
}

bool Extent::is_blank(std::size_t from, std::size_t to) const {
    assert(from <= to && to <= text_.size());
    return text_.substr(from, to - from).find_first_not_of(space) == std::string_view::npos;
}

std::size_t Extent::skip_space(std::size_t at) const {
    while (at < text_.size()) {
        if (is_one_of(text_[at], space)) {
            ++at;
        } else if (text_[at] == '#' && (at == 0 || is_one_of(text_[at - 1], space))) {
            at = line_end(at);
        } else {
            break;
        }
    }
    return at;
}

bool Extent::is_flow(const Node& node) const {
    const std::size_t at = start_of(node);
    return at < text_.size() && (node.kind == Node::Kind::map || node.kind == Node::Kind::list) &&
           text_[at] == (node.kind == Node::Kind::map ? '{' : '[');
}

std::optional<std::size_t> Extent::end_of(const Node& node, bool in_flow) const {
    switch (node.kind) {
        case Node::Kind::scalar:
            return end_of_scalar(node, in_flow);
        case Node::Kind::list:
        case Node::Kind::map:
            if (is_flow(node)) return end_of_flow(start_of(node));
            if (in_flow || node.items.empty()) return std::nullopt;
            if (node.kind == Node::Kind::list) return end_of(node.items.back(), false);
            return end_of_entry(node.keys.back(), node.items.back(), false);
        default:
            return std::nullopt;
    }
}

std::optional<std::size_t> Extent::end_of_entry(const Node& key, const Node& value,
                                                bool in_flow) const {
    if (value.kind != Node::Kind::nothing) return end_of(value, in_flow);
    const auto colon = end_of_colon(key, in_flow);
    if (!colon) return std::nullopt;
    constexpr std::array<std::string_view, 4> nothing = {"~", "null", "Null", "NULL"};
    const std::size_t word = std::min(text_.find_first_not_of(blanks, *colon), text_.size());
    const std::size_t end = end_of_plain_line(word, in_flow);
    const std::string_view written = text_.substr(word, end - word);
    return std::ranges::find(nothing, written) == nothing.end() ? *colon : end;
}

std::optional<std::size_t> Extent::end_of_colon(const Node& key, bool in_flow) const {
    const auto end = end_of_scalar(key, in_flow);
    if (!end) return std::nullopt;
    const std::size_t colon = text_.find_first_not_of(blanks, *end);
    if (colon == std::string_view::npos || text_[colon] != ':') return std::nullopt;
    return colon + 1;
}

std::optional<std::size_t> Extent::end_of_scalar(const Node& node, bool in_flow) const {
    const std::size_t at = start_of(node);
    if (at >= text_.size()) return std::nullopt;
    if (text_[at] == '"' || text_[at] == '\'') return end_of_quoted(at);
    if (!in_flow && is_one_of(text_[at], "|>")) return end_of_block_scalar(at);
    std::size_t end = end_of_plain_line(at, in_flow);
    std::string words(text_.substr(at, end - at));
    for (std::size_t lines = 1; words != node.text; ++lines) {
        const std::size_t next = text_.find_first_not_of(space, end);
        if (lines == most_lines || next == std::string_view::npos) return std::nullopt;
        end = end_of_plain_line(next, in_flow);
        words.append(" ").append(text_.substr(next, end - next));
    }
    return end;
}

std::size_t Extent::end_of_quoted(std::size_t at) const {
    const char quote = text_[at];
    for (++at; at < text_.size(); ++at) {
        if (quote == '"' && text_[at] == '\\') {
            ++at;
        } else if (text_[at] == quote) {
            if (quote == '"' || at + 1 >= text_.size() || text_[at + 1] != quote) return at + 1;
            ++at;
        }
    }
    return text_.size();
}

// A block scalar continues while lines are blank or indented as much as its first line with text.
std::size_t Extent::end_of_block_scalar(std::size_t at) const {
    std::size_t end = line_end(at);
    std::optional<std::size_t> indent;
    for (std::size_t line = next_line(at); line < text_.size(); line = next_line(line)) {
        if (is_blank(line, line_end(line))) continue;
        const std::size_t first = text_.find_first_not_of(' ', line) - line;
        if (!indent) indent = first;
        if (first < *indent || *indent == 0) break;
        end = line_end(line);
    }
    return end;
}

std::size_t Extent::end_of_plain_line(std::size_t at, bool in_flow) const {
    const std::size_t line = line_end(at);
    std::size_t end = at;
    for (; end < line; ++end) {
        const char octet = text_[end];
        if (octet == '#' && end > at && is_one_of(text_[end - 1], blanks)) break;
        if (in_flow && is_one_of(octet, ",[]{}")) break;
        if (octet != ':') continue;
        if (end + 1 == line || is_one_of(text_[end + 1], blanks)) break;
        if (in_flow && is_one_of(text_[end + 1], ",[]{}")) break;
    }
    while (end > at && is_one_of(text_[end - 1], blanks)) --end;
    return end;
}

std::optional<std::size_t> Extent::end_of_flow(std::size_t at) const {
    std::size_t depth = 0;
    bool begins = true;  // whether a scalar may begin here
    while (at < text_.size()) {
        const std::size_t next = skip_space(at);
        if (next > at) {
            at = next;
            continue;
        }
        const char octet = text_[at];
        if (begins && (octet == '"' || octet == '\'')) {
            at = end_of_quoted(at);
            begins = false;
            continue;
        }
        ++at;
        begins = is_one_of(octet, "[{,:");
        if (is_one_of(octet, "[{")) ++depth;
        assert(depth > 0);
        if (is_one_of(octet, "]}") && --depth == 0) return at;
    }
    return std::nullopt;
}

}  // namespace sluice::config
