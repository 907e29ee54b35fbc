// Huge pages: takes 2 MB pages where they can be had, and says so where they cannot.
//
// Free pages are used as they are. With too few, and /sys writable, the missing ones are reserved,
// but never more than half of what memory is available, so that a laptop is not driven to swap;
// they are given back at the end, or, where a process of ours is killed, by the next one
// (page_record.h): it keeps of them what it needs as if they were its own. Without them everything
// works, more slowly. Of what is needed on several NUMA nodes all is had, or nothing.
// Free pages go to the process that takes them first, so processes of ours take turns: from `take`
// until `taken`, by when EAL must hold its pages, the others wait (lock_file.h,
// /run/sluice/huge-pages).
// Bound: twenty seconds for each process whose turn comes before, so 20 N for N of them, since one
// that clears pages on a busy machine has been seen to take ten; to take pages fails then. To give
// them back waits half as long, and then does without a turn.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "dataplane/types/units.h"
#include "pmd_glue/error.h"
#include "pmd_glue/lock_file.h"
#include "pmd_glue/page_record.h"

namespace sluice::pmd {

struct MemoryNeed {
    std::optional<unsigned> node;  // of NUMA; none: anywhere
    Bytes octets;
};

class HugePages {
  public:
    // Fails only where another process does not end its turn.
    static tl::expected<HugePages, Error> take(std::span<const MemoryNeed> needs);

    HugePages() = default;
    HugePages(HugePages&& other) noexcept;
    HugePages& operator=(HugePages&& other) noexcept;
    ~HugePages();

    // EAL has its pages: lets the next process look.
    void taken();

    [[nodiscard]] bool available() const { return available_; }
    // Empty, or why there are none and the command that would reserve them.
    [[nodiscard]] const std::string& notice() const { return notice_; }

  private:
    void inherit();
    void give_back_all_but(std::span<const MemoryNeed> needs);
    void change(AddedPages& own, int64_t pages);
    AddedPages& reserved_on(std::optional<unsigned> node);
    bool take(const MemoryNeed& need, bool may_reserve);
    void give_back();

    bool available_ = false;
    std::vector<AddedPages> reserved_;  // that are ours to give back
    PageRecord record_;
    LockFile turn_;
    std::string notice_;
};

// Where the kernel keeps the numbers of 2 MB pages, of a node or of the machine; ends with a slash.
std::string huge_page_folder(std::optional<unsigned> node);

}  // namespace sluice::pmd
