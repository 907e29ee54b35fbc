#include "pmd_glue/page_record.h"

#include <unistd.h>
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <system_error>
#include <utility>

namespace sluice::pmd {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view record_prefix = "huge-pages-";
constexpr std::size_t row_octets = 48;
constexpr std::size_t most_rows = 64;

// Returns a name that is unique among processes of all PID namespaces.
std::string new_name() {
    timespec now{};
    ::clock_gettime(CLOCK_BOOTTIME, &now);
    return std::string(record_prefix) + std::to_string(::getpid()) + "-" +
           std::to_string(now.tv_sec) + std::to_string(now.tv_nsec);
}

LockRequest request_for(const fs::path& path) {
    return {.key = "huge pages", .path = path, .thing = "them"};
}

// Returns a row; all rows have one length. Node -1 means no node.
std::string row_of(const AddedPages& added) {
    std::array<char, row_octets + 1> text{};
    std::snprintf(text.data(), text.size(), "%7d %19lld %19lld\n",
                  added.node ? static_cast<int>(*added.node) : -1,
                  static_cast<long long>(added.pages),
                  static_cast<long long>(added.from.value_or(-1)));
    return text.data();
}

std::optional<AddedPages> added_in(const std::string& row) {
    int node = 0;
    long long pages = 0, from = 0;
    if (std::sscanf(row.c_str(), "%d %lld %lld", &node, &pages, &from) != 3 || pages < 0) return {};
    AddedPages added{.pages = pages};
    if (node >= 0) added.node = static_cast<unsigned>(node);
    if (from >= 0) added.from = from;
    return added;
}

}  // namespace

std::vector<PageRecord> PageRecord::of_the_dead(const std::string& folder) {
    std::vector<PageRecord> found;
    std::error_code ignored;
    for (fs::directory_iterator entry(folder, ignored), end; entry != end;
         entry.increment(ignored)) {
        if (!entry->path().filename().native().starts_with(record_prefix)) continue;
        auto file = LockFile::take(request_for(entry->path()));
        if (!file || !*file) continue;
        found.emplace_back().file_ = std::move(*file);
    }
    return found;
}

void PageRecord::write(std::span<const AddedPages> added, const std::string& folder) {
    if (!file_) {
        auto file = LockFile::take(request_for(fs::path(folder) / new_name()));
        if (file) file_ = std::move(*file);
    }
    if (!file_) return;
    std::string text;
    for (const AddedPages& each : added.first(std::min(added.size(), most_rows))) {
        text += row_of(each);
    }
    if (::pwrite(file_.descriptor(), text.data(), text.size(), 0) < 0 ||
        ::ftruncate(file_.descriptor(), static_cast<off_t>(text.size())) != 0) {
        return;
    }
}

std::vector<AddedPages> PageRecord::read() const {
    std::vector<AddedPages> added;
    std::array<char, row_octets * most_rows> text{};
    const ssize_t length =
        file_ ? ::pread(file_.descriptor(), text.data(), text.size(), 0) : ssize_t{0};
    for (std::size_t at = 0;
         at + row_octets <= static_cast<std::size_t>(std::max<ssize_t>(length, 0));
         at += row_octets) {
        if (auto row = added_in({&text[at], row_octets})) added.push_back(*row);
    }
    return added;
}

void PageRecord::remove() { file_.remove(); }

}  // namespace sluice::pmd
