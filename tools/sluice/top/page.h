// Page: formats the rows of a view as lines of a given width: sorted, cut to the columns that fit,
// with a bar if there is room.
//
// Whole columns are left out, the last first. If a bar fits after its column, later columns are
// shown only if at least 10 characters are left for the bar. The bar takes up to 40 of the
// remaining characters, and is full at 100 % of its column. A line that is still too long is cut.
// Bound: text is ASCII, so a character is an octet (table.h). No terminal, no clock.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "tools/sluice/top/view.h"

namespace sluice::cli::top {

struct Order {
    std::optional<std::size_t> column;  // column to sort by; none: order of sluiced's reply
    bool reversed = false;
};

// Sorts by value, the largest first; texts by the alphabet. Equal rows keep their order.
void sort(std::vector<Row>& rows, const Order& order);

struct Page {
    std::string titles;
    std::vector<std::string> lines;
    std::size_t columns = 0;  // number of columns that fit
};

Page lay_out(const View& view, const std::vector<Row>& rows, const Order& order, std::size_t width);

}  // namespace sluice::cli::top
