// Machine: reads the kernel's files about a machine below /proc, /sys and /run, or copies of them
// below another root, which tests use. Bound: files of at most 64 KiB. A file that cannot be read
// is empty, not an error.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::cli {

inline constexpr unsigned cap_ipc_lock = 14;

class Machine {
  public:
    // `root`: empty for this machine.
    explicit Machine(std::string root) : root_(std::move(root)) {}

    // Returns a file's text without the end of its last line.
    [[nodiscard]] std::optional<std::string> text(std::string_view path) const;
    [[nodiscard]] std::optional<int64_t> number(std::string_view path) const;
    // Returns the text after `name:` in a file whose lines have this form, without surrounding
    // blanks.
    [[nodiscard]] std::optional<std::string> field(std::string_view path,
                                                   std::string_view name) const;
    // Whether the user holds the capability with this number (capabilities(7)).
    [[nodiscard]] bool holds(unsigned capability) const;
    [[nodiscard]] bool exists(std::string_view path) const;
    // Returns the names in a folder, sorted.
    [[nodiscard]] std::vector<std::string> names(std::string_view path) const;
    // Returns the last component of the path to which a symbolic link points.
    [[nodiscard]] std::optional<std::string> target(std::string_view path) const;

    [[nodiscard]] bool is_this() const { return root_.empty(); }
    [[nodiscard]] std::string at(std::string_view path) const { return root_ + std::string(path); }

  private:
    std::string root_;
};

// Parses `0-3,8` as CPUs.
std::set<unsigned> cpus_of(std::string_view list);
std::string list_of(const std::set<unsigned>& cpus);

}  // namespace sluice::cli
