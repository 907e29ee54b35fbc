// Sheet: the tables of one noun, laid out for a width: no line is longer, so that no terminal
// wraps it.
//
// Columns are in the order of their table. If not all fit, columns of the lowest rank are chosen
// first, and among equals the first; a last line names the omitted ones. Texts are wrapped in their
// cell if that makes the column fit. If columns are requested by name, they are in that order, and
// any key of the rows may be a column.
// Bound: a table is kept whole in memory. A width below that of the columns of rank 0 cuts words.
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
    std::vector<std::string> columns = {};  // by title or key; empty: as many as fit
};

// Returns lines of at most `width`, broken between words; lines that begin with a space stay.
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
    // Below all tables: which columns were left out, if any were.
    [[nodiscard]] std::string last_line() const;
    // Why columns that were asked for cannot be shown. Empty: all can.
    [[nodiscard]] std::string refusal() const;
    [[nodiscard]] std::size_t width() const { return layout_.width; }

  private:
    std::vector<Column> choose(const Json& rows, std::span<const Column> columns);
    std::optional<Column> column_of(const Json& rows, const std::string& key);

    Layout layout_;
    std::vector<std::string_view> known_;  // titles of all tables
    std::vector<std::string_view> left_out_;
    bool has_rows_ = false;
    std::deque<std::pair<std::string, std::string>> keys_;  // that are columns, and their titles
    std::vector<bool> found_ = std::vector<bool>(layout_.columns.size());  // of those asked for
};

}  // namespace sluice::cli
