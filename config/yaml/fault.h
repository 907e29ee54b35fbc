// Fault: one fault of a configuration file: its position, its key, the problem and the remedy.
// Report: gathers the faults of one run, so that an operator can correct them all at once.
//
// Bound: 100 faults, and a last one that reports that there are more. Then reading stops, since
// other clients of the daemon may be waiting. A fault is one line. Words taken from the file are
// cut to 40 octets and their control characters escaped, so that no file can control a terminal.
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

// Lines and columns count from 1, as in editors; columns count octets.
struct Position {
    int line = 1;
    int column = 1;

    friend auto operator<=>(const Position&, const Position&) = default;
};

struct Fault {
    std::string file;
    Position at;
    std::string path;    // `ports[2].pfc.xon`; `file` if no single key has the fault
    std::string what;    // the problem
    std::string remedy;  // what would be right
};

// Returns `FILE:LINE:COLUMN: path.of.key: what is wrong; what would be right`.
std::string to_string(const Fault& fault);
std::vector<std::string> lines_of(const std::vector<Fault>& faults);

// Returns the text with control characters as \xNN.
std::string escaped(std::string_view text);
// Returns a word of the file for use in a path: escaped and cut.
std::string in_path(std::string_view word);
// Returns a word of the file for use in a message: escaped, cut, and in quotes.
std::string in_quotes(std::string_view word);

// Returns the words with `between` between them.
std::string joined(std::span<const std::string_view> words, std::string_view between);

class Report {
  public:
    explicit Report(std::string file) : file_(std::move(file)) {}

    static constexpr std::size_t most_faults = 100;

    // Adds a fault. A fault that several ports inherit from `defaults` is kept once.
    void add(Position at, std::string path, std::string what, std::string remedy);

    [[nodiscard]] bool clean() const { return faults_.empty(); }
    [[nodiscard]] const std::string& file() const { return file_; }
    // Returns whether the limit is reached: no further fault is kept, so checks may stop.
    [[nodiscard]] bool full() const { return full_; }
    // Returns the faults in the order of their positions in the file.
    [[nodiscard]] std::vector<Fault> take();

  private:
    std::string file_;
    std::vector<Fault> faults_;
    std::set<std::tuple<Position, std::string, std::string>> seen_;
    bool full_ = false;
};

}  // namespace sluice::config
