// Page record: how many huge pages a process has added to the machine's, kept in a file, so that
// the next process can give them back if this one is killed.
//
// It is a locked file (lock_file.h) in /run/sluice: if its lock is free, its process is gone. It is
// written before the machine's number of pages changes and again afterwards, each time by one call.
// So if a process is killed between the two writes, the record suffices: the process added the
// pages that the machine has above `from`, at most `pages`. Bound: one row for each NUMA node and
// change; 64 rows. If /run cannot be written no record is kept.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "pmd_glue/lock_file.h"

namespace sluice::pmd {

struct AddedPages {
    std::optional<unsigned> node;  // NUMA node; none if the node does not matter
    int64_t pages = 0;
    // The machine's number of pages without the added ones; empty unless a change is in progress.
    std::optional<int64_t> from = {};

    friend bool operator==(const AddedPages&, const AddedPages&) = default;
};

class PageRecord {
  public:
    // Returns the records of processes that ended without giving their pages back. Called by the
    // process whose turn it is (huge_pages.h).
    static std::vector<PageRecord> of_the_dead(const std::string& folder = run_folder);

    // Writes the record; creates the file if there is none yet.
    void write(std::span<const AddedPages> added, const std::string& folder = run_folder);
    [[nodiscard]] std::vector<AddedPages> read() const;
    // Removes the file: no pages are to be given back any more.
    void remove();

  private:
    LockFile file_;
};

}  // namespace sluice::pmd
