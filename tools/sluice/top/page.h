// Page: rows of a view as lines of text of a given width: sorted, cut to the columns that fit, with
// a bar where there is room for one.
//
// Columns are left out from the last on, whole. Where the bar's column and a bar fit, those behind
// it leave it 10 places at least; it takes up to 40 of what is left, and is full where its column
// says 100 %. A line that is still too long is cut.
// Bound: text is ASCII, so a place is an octet (table.h). No terminal, no clock.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "tools/sluice/top/view.h"

namespace sluice::cli::top {

struct Order {
    std::optional<std::size_t> column;  // none: in the order of sluiced's reply
    bool reversed = false;
};

// By value, the largest first; texts by the alphabet. Rows that are alike stay as they were.
void sort(std::vector<Row>& rows, const Order& order);

struct Page {
    std::string titles;
    std::vector<std::string> lines;
    std::size_t columns = 0;  // that fit
};

Page lay_out(const View& view, const std::vector<Row>& rows, const Order& order, std::size_t width);

}  // namespace sluice::cli::top
