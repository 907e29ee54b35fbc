#include "tools/common/sheet.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>

namespace sluice::cli {

namespace {

using config::pieces_of;

constexpr std::size_t gap = 2;
constexpr std::size_t shortest_prose = 24;
constexpr std::size_t shortest_list = 16;
constexpr std::size_t longest_name = 40;   // an IPv6 address on one line
constexpr std::size_t shortest_piece = 4;  // least width of a wrapped text

// Returns a normal form in which `RX octets`, `rx-octets` and `RX_OCTETS` are equal.
std::string plain(std::string_view name) {
    std::string text(name);
    for (char& letter : text) {
        if (letter == ' ' || letter == '-') letter = '_';
        if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
    }
    return text;
}

bool flows(Format format) {
    return format == Format::text || format == Format::prose || format == Format::list;
}

std::size_t narrowest(Format format, std::size_t natural) {
    switch (format) {
        case Format::prose:
            return std::min(natural, shortest_prose);
        case Format::list:
            return std::min(natural, shortest_list);
        case Format::text:
            return std::min(natural, longest_name);
        default:
            return natural;
    }
}

using Lines = std::vector<std::vector<std::string>>;  // cells, line by line; titles first

// Returns `2026-11-29T06:57:28.042Z` as `11-29 06:57:28.042`.
std::string shortened(const std::string& moment) {
    constexpr std::size_t whole = 24;
    return moment.size() == whole ? moment.substr(5, 5) + ' ' + moment.substr(11, 12) : moment;
}

Lines cells_of(const Json& rows, std::span<const Column> columns, bool is_wide) {
    Lines lines(1);
    for (const Column& column : columns) lines[0].emplace_back(column.title);
    for (const Json& row : rows) {
        std::vector<std::string>& line = lines.emplace_back();
        for (const Column& column : columns) {
            std::string cell = cell_of(row, column);
            const bool is_short = !is_wide && column.format == Format::moment;
            line.push_back(is_short ? shortened(cell) : std::move(cell));
        }
    }
    return lines;
}

// Computes the width of each column; 0 omits the column.
class Widths {
  public:
    Widths(const Lines& lines, std::span<const Column> columns, std::size_t all)
        : columns_(columns), natural_(columns.size()), widths_(columns.size()), all_(all) {
        for (const auto& line : lines) {
            for (std::size_t n = 0; n < line.size(); ++n) {
                natural_[n] = std::max(natural_[n], line[n].size());
            }
        }
        choose();
        shrink();
        grow();
    }
    [[nodiscard]] std::size_t of(std::size_t column) const { return widths_[column]; }

  private:
    [[nodiscard]] std::size_t taken() const {
        std::size_t sum = 0;
        for (const std::size_t width : widths_) sum += width == 0 ? 0 : width + gap;
        return sum == 0 ? 0 : sum - gap;
    }
    void choose() {
        std::vector<std::size_t> order(columns_.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::ranges::stable_sort(order, {}, [&](std::size_t n) { return columns_[n].rank; });
        for (const std::size_t n : order) {
            // A title is never wrapped.
            widths_[n] =
                std::max(narrowest(columns_[n].format, natural_[n]), columns_[n].title.size());
            if (columns_[n].rank > 0 && taken() > all_) widths_[n] = 0;
        }
    }
    // If the columns of rank 0 do not fit, makes texts narrower, and then removes columns from the
    // last one on.
    void shrink() {
        while (taken() > all_) {
            std::size_t widest = columns_.size();
            for (std::size_t n = 0; n < columns_.size(); ++n) {
                if (!flows(columns_[n].format) || widths_[n] <= shortest_piece) continue;
                if (widest == columns_.size() || widths_[n] > widths_[widest]) widest = n;
            }
            if (widest < columns_.size()) {
                --widths_[widest];
                continue;
            }
            const auto last = std::ranges::find_if(widths_.rbegin(), widths_.rend() - 1,
                                                   [](std::size_t width) { return width > 0; });
            if (last == widths_.rend() - 1) {
                widths_.front() = std::min(widths_.front(), all_);
                return;
            }
            *last = 0;
        }
    }
    void grow() {
        for (std::size_t n = 0; n < columns_.size(); ++n) {
            const std::size_t used = taken();
            if (widths_[n] == 0 || used >= all_) continue;
            widths_[n] += std::min(all_ - used, natural_[n] - std::min(natural_[n], widths_[n]));
        }
    }

    std::span<const Column> columns_;
    std::vector<std::size_t> natural_;
    std::vector<std::size_t> widths_;
    std::size_t all_;
};

std::string line_of(const std::vector<std::string>& cells, std::span<const Column> columns,
                    const Widths& widths) {
    std::vector<std::vector<std::string>> pieces(cells.size());
    std::size_t most_pieces = 1;
    for (std::size_t n = 0; n < cells.size(); ++n) {
        if (widths.of(n) == 0) continue;
        pieces[n] = pieces_of(cells[n], widths.of(n));
        most_pieces = std::max(most_pieces, pieces[n].size());
    }
    std::string text;
    for (std::size_t depth = 0; depth < most_pieces; ++depth) {
        std::string line;
        bool is_first = true;
        for (std::size_t n = 0; n < cells.size(); ++n) {
            if (widths.of(n) == 0) continue;
            if (!is_first) line += std::string(gap, ' ');
            is_first = false;
            const std::string& piece = depth < pieces[n].size() ? pieces[n][depth] : "";
            line += to_the_left(columns[n].format) ? fmt::format("{:<{}}", piece, widths.of(n))
                                                   : fmt::format("{:>{}}", piece, widths.of(n));
        }
        line.erase(line.find_last_not_of(' ') + 1);
        text += line + '\n';
    }
    return text;
}

void add(std::vector<std::string_view>& list, std::string_view title) {
    if (std::ranges::find(list, title) == list.end()) list.push_back(title);
}

std::string joined(std::span<const std::string_view> words) {
    return fmt::format("{}", fmt::join(words, ", "));
}

}  // namespace

std::string folded(const std::string& text, std::size_t width) {
    std::string all;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        const std::string_view line = std::string_view(text).substr(at, end - at);
        if (line.size() <= width || line.starts_with(' ')) {
            all.append(line);
        } else {
            all += fmt::format("{}", fmt::join(pieces_of(line, width), "\n"));
        }
        if (end < text.size()) all += '\n';
        at = end + 1;
    }
    return all;
}

std::string below(std::string text, const std::string& more) {
    if (!text.empty() && !more.empty()) text += '\n';
    return text + more;
}

std::vector<Column> Sheet::choose(const Json& rows, std::span<const Column> columns) {
    for (const Column& column : columns) add(known_, column.title);
    if (layout_.columns.empty()) return {columns.begin(), columns.end()};
    has_rows_ = has_rows_ || !rows.empty();
    std::vector<Column> chosen;
    for (std::size_t n = 0; n < layout_.columns.size(); ++n) {
        const std::string name = plain(layout_.columns[n]);
        const auto found = std::ranges::find_if(columns, [&](const Column& column) {
            return plain(column.title) == name || plain(column.key) == name;
        });
        std::optional<Column> column;
        if (found != columns.end()) {
            column = *found;
        } else if (!found_[n]) {  // no earlier table had this column
            column = column_of(rows, name);
        }
        if (!column) continue;
        chosen.push_back(*column);
        found_[n] = true;
    }
    return chosen;
}

// Makes a column for a key of the rows that has none, with the format of its first value.
std::optional<Column> Sheet::column_of(const Json& rows, const std::string& key) {
    if (key.find('~') != std::string::npos) return {};  // `~` is special in a JSON pointer
    const Json::json_pointer place("/" + key);
    const auto has_parts = [&](const Json& row) {  // objects do not fit a cell
        if (!row.contains(place)) return false;
        const Json& value = row[place];
        return value.is_object() || (value.is_array() && !value.empty() && !value[0].is_string());
    };
    if (std::ranges::any_of(rows, has_parts)) return {};
    for (const Json& row : rows) {
        if (!row.contains(place) || row[place].is_null()) continue;
        const Json& value = row[place];
        const Format format = value.is_string()           ? Format::text
                              : value.is_array()          ? Format::list
                              : value.is_boolean()        ? Format::yes_no
                              : value.is_number_integer() ? Format::number
                                                          : Format::ratio;
        std::string title = key;
        for (char& letter : title) {
            if (letter == '_' || letter == '/') letter = ' ';
            if (letter >= 'a' && letter <= 'z') letter = static_cast<char>(letter - 'a' + 'A');
        }
        const auto& [own_key, own_title] = keys_.emplace_back(key, std::move(title));
        return Column{own_title, own_key, format};
    }
    return {};
}

std::string Sheet::table(const Json& rows, std::span<const Column> columns, Empty empty) {
    const std::vector<Column> chosen = choose(rows, columns);
    if (chosen.empty() || (rows.empty() && empty == Empty::nothing)) return {};
    const bool is_wide = layout_.width == config::unlimited_width;
    const Lines lines = cells_of(rows, chosen, is_wide);
    const Widths widths(lines, chosen, layout_.width);
    for (std::size_t n = 0; n < chosen.size(); ++n) {
        if (widths.of(n) == 0) add(left_out_, chosen[n].title);
    }
    std::string text;
    for (const auto& line : lines) text += line_of(line, chosen, widths);
    return text;
}

std::string Sheet::table_or(const Json& rows, std::span<const Column> columns,
                            std::string_view nothing) {
    std::string text = table(rows, columns);
    return rows.empty() ? fmt::format("{}\n", nothing) : text;
}

std::string Sheet::section(std::string_view heading, const Json& rows,
                           std::span<const Column> columns) {
    const std::string text = table(rows, columns);
    return text.empty() ? text : fmt::format("{}\n{}", heading, text);
}

std::string Sheet::last_line() const {
    if (left_out_.empty()) return {};
    return folded(fmt::format("Left out for want of room: {}; --wide or --columns shows them.\n",
                              joined(left_out_)),
                  layout_.width);
}

std::string Sheet::refusal() const {
    for (std::size_t n = 0; n < found_.size(); ++n) {
        if (found_[n] || !has_rows_) continue;
        return fmt::format(
            "--columns: no column is called {}; there are {}, and the keys of --json",
            layout_.columns[n], joined(known_));
    }
    return {};
}

}  // namespace sluice::cli
