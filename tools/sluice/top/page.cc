#include "tools/sluice/top/page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace sluice::cli::top {

namespace {

constexpr std::size_t gap = 2;
constexpr std::size_t shortest_bar = 10;
constexpr std::size_t longest_bar = 40;

// Returns the title of a column, with a mark if rows are sorted by it.
std::string title_of(const View& view, std::size_t column, const Order& order) {
    std::string title(view.columns[column].title);
    if (order.column == column) title += order.reversed ? '^' : 'v';
    return title;
}

std::string padded(const std::string& text, std::size_t width, bool to_the_left) {
    return to_the_left ? fmt::format("{:<{}}", text, width) : fmt::format("{:>{}}", text, width);
}

std::string bar_of(double share, std::size_t width) {
    const double full = std::clamp(share, 0.0, 1.0) * static_cast<double>(width - 2);
    // A value above 0 is always visible.
    const auto filled = static_cast<std::size_t>(share > 0 ? std::ceil(full) : 0);
    return '[' + std::string(filled, '|') + std::string(width - 2 - filled, ' ') + ']';
}

}  // namespace

void sort(std::vector<Row>& rows, const Order& order) {
    if (!order.column) return;
    const std::size_t column = *order.column;
    std::ranges::stable_sort(rows, [&](const Row& one, const Row& other) {
        const Cell& a = order.reversed ? other[column] : one[column];
        const Cell& b = order.reversed ? one[column] : other[column];
        return a.to_the_left ? a.text < b.text : a.value > b.value;
    });
}

Page lay_out(const View& view, const std::vector<Row>& rows, const Order& order,
             std::size_t width) {
    std::vector<std::size_t> widths;
    for (std::size_t column = 0; column < view.columns.size(); ++column) {
        widths.push_back(title_of(view, column, order).size());
        for (const Row& row : rows)
            widths[column] = std::max(widths[column], row[column].text.size());
    }
    Page page;
    std::size_t taken = 0;
    bool has_bar = false;
    for (const std::size_t needed : widths) {
        const std::size_t with = taken + (page.columns == 0 ? 0 : gap) + needed;
        if (with + (has_bar ? gap + shortest_bar : 0) > width && page.columns > 0) break;
        taken = with;
        if (page.columns++ == view.bar) has_bar = taken + gap + shortest_bar <= width;
    }
    const std::size_t left = width > taken + gap ? width - taken - gap : 0;

    const auto is_to_the_left = [&](std::size_t column) {
        const Measure measure = view.columns[column].measure;
        return measure == Measure::text || measure == Measure::list || measure == Measure::yes_no;
    };
    const auto line_of = [&](const auto& text_of) {
        std::string line;
        for (std::size_t column = 0; column < page.columns; ++column) {
            if (column > 0) line += std::string(gap, ' ');
            line += padded(text_of(column), widths[column], is_to_the_left(column));
        }
        return line;
    };
    const auto cut = [&](std::string line) {
        if (line.size() > width) line.resize(width);
        return line;
    };
    page.titles = cut(line_of([&](std::size_t column) { return title_of(view, column, order); }));
    for (const Row& row : rows) {
        std::string line = line_of([&](std::size_t column) { return row[column].text; });
        if (has_bar) {
            line +=
                std::string(gap, ' ') + bar_of(row[view.bar].value, std::min(left, longest_bar));
        }
        page.lines.push_back(cut(std::move(line)));
    }
    return page;
}

}  // namespace sluice::cli::top
