// Extent: finds where in a text the nodes of its document end. YAML's events report only where a
// node begins.
//
// Bound: one pass over the node's own text. A plain scalar is followed for 64 lines. Syntax that
// this class does not know, such as an explicit `? key`, is misinterpreted, so an editor has to
// parse the result again (edit.h).
// Follows: YAML 1.2, chapters 7 (flow) and 8 (block), as far as document.h reads it.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "config/yaml/document.h"

namespace sluice::config {

class Extent {
  public:
    // `text` must have no byte order mark.
    explicit Extent(std::string_view text);

    [[nodiscard]] std::size_t start_of(const Node& node) const { return offset_of(node.at); }
    // Returns the offset after the last octet of the node. Nothing: it is unknown.
    [[nodiscard]] std::optional<std::size_t> end_of(const Node& node, bool in_flow) const;
    // Returns the end of the value of `key`. An empty value ends after the colon.
    [[nodiscard]] std::optional<std::size_t> end_of_entry(const Node& key, const Node& value,
                                                          bool in_flow) const;
    // Returns the offset after the colon of the key.
    [[nodiscard]] std::optional<std::size_t> end_of_colon(const Node& key, bool in_flow) const;
    // Returns whether the node is a list or map in brackets.
    [[nodiscard]] bool is_flow(const Node& node) const;

    [[nodiscard]] std::size_t line_start(std::size_t at) const;
    // Both functions take any offset in a line. The first returns the offset of the line's end, the
    // second returns the offset of the next line.
    [[nodiscard]] std::size_t line_end(std::size_t at) const;
    [[nodiscard]] std::size_t next_line(std::size_t at) const;
    // Returns the offset of the next octet that belongs to neither a blank, a line break nor a
    // comment.
    [[nodiscard]] std::size_t skip_space(std::size_t at) const;
    [[nodiscard]] bool is_blank(std::size_t from, std::size_t to) const;

  private:
    [[nodiscard]] std::size_t offset_of(Position at) const;
    [[nodiscard]] std::optional<std::size_t> end_of_scalar(const Node& node, bool in_flow) const;
    [[nodiscard]] std::size_t end_of_quoted(std::size_t at) const;
    [[nodiscard]] std::size_t end_of_block_scalar(std::size_t at) const;
    [[nodiscard]] std::size_t end_of_plain_line(std::size_t at, bool in_flow) const;
    [[nodiscard]] std::optional<std::size_t> end_of_flow(std::size_t at) const;

    std::string_view text_;
    std::vector<std::size_t> lines_;  // offsets of the beginnings of lines
};

}  // namespace sluice::config
