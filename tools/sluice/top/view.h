// View: one page of `sluice top`: the rows of a noun, the columns, and the cells, computed from two
// answers of sluiced.
//
// A rate is the increase of a counter a second. A counter that decreased, as after `sluice clear`
// or a restart, and a new row have no rate: `-`. Bound: as many rows as the answer has. No
// terminal, no clock.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tools/common/table.h"

namespace sluice::cli::top {

enum class Measure : uint8_t {
    text,
    list,
    yes_no,
    number,  // an identity, such as a priority
    count,
    size,
    rises,       // increase a second
    bits,        // octets a second, shown in bits
    wire_share,  // share of the link's rate, with preamble, FCS and gap; `key` is rx or tx
    time_share,  // share of the time between snapshots, by a counter of nanoseconds
    of,          // share of the value of `other`
};

struct Column {
    std::string_view title;
    std::string_view key;
    Measure measure = Measure::text;
    std::string_view other = {};
};

struct View {
    std::string_view name;
    std::string_view noun;                   // noun of `sluice show`
    std::string_view rows;                   // key of the rows; empty: the answer is the list
    std::string_view what;                   // a sentence for new users
    std::vector<std::string_view> identity;  // keys that identify a row
    std::vector<Column> columns;             // the most important first
    std::size_t bar;                         // column with a share that is also drawn as a bar
};

std::span<const View> views();

struct Cell {
    std::string text;
    double value = 0;  // value for sorting and for a bar; 0 for texts
    bool to_the_left = false;
};
using Row = std::vector<Cell>;

// Returns the rows. `before`: null if there are no rates yet. `seconds`: above 0.
std::vector<Row> rows_of(const View& view, const Json& before, const Json& after, double seconds);

}  // namespace sluice::cli::top
