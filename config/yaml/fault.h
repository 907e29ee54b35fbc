// Fault: one thing that is wrong in a configuration file: its position, its key, what is wrong and
// what would be right. Report: gathers the faults of one run, so that an operator can correct them
// all at once.
//
// Bound: 100 faults, and a last one that says that there are more: reading stops then, since other
// clients may be waiting. A fault is one line of text; words taken from the file are cut to 40
// octets and their control characters escaped, so that no file can write on a terminal.
#pragma once

#include <compare>
#include <cstddef>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace sluice::config {

// Counted from 1, as editors do; columns count octets.
struct Position {
    int line = 1;
    int column = 1;

    friend auto operator<=>(const Position&, const Position&) = default;
};

struct Fault {
    std::string file;
    Position at;
    std::string path;    // `ports[2].pfc.xon`; `file` when it is no single key's
    std::string what;    // is wrong
    std::string remedy;  // would be right
};

// `FILE:LINE:COLUMN: path.of.key: what is wrong; what would be right`
std::string to_string(const Fault& fault);
std::vector<std::string> lines_of(const std::vector<Fault>& faults);

// Control characters as \xNN.
std::string escaped(std::string_view text);
// A word of the file as it may stand in a path: escaped and cut.
std::string in_path(std::string_view word);
// The same in a message, where quotes show its ends.
std::string in_quotes(std::string_view word);

// Words as a message lists them.
std::string joined(std::span<const std::string_view> words, std::string_view between);

class Report {
  public:
    explicit Report(std::string file) : file_(std::move(file)) {}

    static constexpr std::size_t most_faults = 100;

    // The same fault is kept once, however many ports inherit it.
    void add(Position at, std::string path, std::string what, std::string remedy);

    [[nodiscard]] bool clean() const { return faults_.empty(); }
    [[nodiscard]] const std::string& file() const { return file_; }
    // Nothing more is kept, so nothing more need be looked for.
    [[nodiscard]] bool full() const { return full_; }
    // In the order of the file.
    [[nodiscard]] std::vector<Fault> take();

  private:
    std::string file_;
    std::vector<Fault> faults_;
    std::set<std::tuple<Position, std::string, std::string>> seen_;
    bool full_ = false;
};

}  // namespace sluice::config
