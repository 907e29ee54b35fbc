// Sheet: lays out the tables of one noun for a width: no line is longer, so that no terminal wraps
// it.
//
// Columns are in the order of their table. If not all fit, columns of the lowest rank are chosen
// first, and among equals the first; a last line names the omitted ones. Texts are wrapped in their
// cell if the column then fits. Columns that are requested by name are in the order of the request,
// and any key of the rows may be a column.
// Bound: a table is in memory as a whole. Words are cut if the columns of rank 0 do not fit.
#pragma once

#include <cstddef>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "config/terminal.h"
#include "tools/common/table.h"

namespace sluice::cli {

struct Layout {
    std::size_t width = config::unlimited_width;
    std::vector<std::string> columns = {};  // titles or keys; if empty, as many columns as fit
};

// Returns lines of at most `width`, broken between words; lines that begin with a space are kept.
std::string folded(const std::string& text, std::size_t width);

// Returns both texts, separated by a blank line if neither is empty.
std::string below(std::string text, const std::string& more);

class Sheet {
  public:
    enum class Empty : bool { nothing, titles };  // what is printed for a table without rows

    explicit Sheet(Layout layout = {}) : layout_(std::move(layout)) {}

    std::string table(const Json& rows, std::span<const Column> columns,
                      Empty empty = Empty::nothing);
    std::string table_or(const Json& rows, std::span<const Column> columns,
                         std::string_view nothing);
    // Returns a table under its heading; empty if it has no rows.
    std::string section(std::string_view heading, const Json& rows,
                        std::span<const Column> columns);
    // Returns the line below all tables that names omitted columns; empty if none were omitted.
    [[nodiscard]] std::string last_line() const;
    // Returns why requested columns cannot be shown; empty if all can.
    [[nodiscard]] std::string refusal() const;
    [[nodiscard]] std::size_t width() const { return layout_.width; }

  private:
    std::vector<Column> choose(const Json& rows, std::span<const Column> columns);
    std::optional<Column> column_of(const Json& rows, const std::string& key);

    Layout layout_;
    std::vector<std::string_view> known_;  // titles of all tables
    std::vector<std::string_view> left_out_;
    bool has_rows_ = false;
    // Keys that became columns, and their titles.
    std::deque<std::pair<std::string, std::string>> keys_;
    // Whether each requested column was found.
    std::vector<bool> found_ = std::vector<bool>(layout_.columns.size());
};

}  // namespace sluice::cli
