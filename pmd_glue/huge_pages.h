// Huge pages: takes 2 MB pages if available, and reports if they are not.
//
// Free pages are used first. If they do not suffice, and /sys is writable, the missing pages are
// reserved, but never more than half of the available memory, so that a laptop does not swap. They
// are given back at the end or, if the process is killed, by the next sluice process
// (page_record.h), which may keep the pages that it needs. Without huge pages everything works, but
// more slowly. If pages are needed on several NUMA nodes, either all are taken or none.
// Free pages belong to the first process that takes them, so sluice processes take turns: from
// `take` until `taken`, when EAL must hold its pages, the others wait (lock_file.h,
// /run/sluice/huge-pages).
// Bound: taking pages waits 20 s for each process that is ahead (20 N s for N processes) and then
// fails; clearing pages on a busy machine has been seen to take ten seconds. Giving pages back
// waits half as long, and then proceeds without a turn.
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
    std::optional<unsigned> node;  // NUMA node; none if any will do
    Bytes octets;
};

class HugePages {
  public:
    // Fails only if another process does not end its turn.
    static tl::expected<HugePages, Error> take(std::span<const MemoryNeed> needs);

    HugePages() = default;
    HugePages(HugePages&& other) noexcept;
    HugePages& operator=(HugePages&& other) noexcept;
    ~HugePages();

    // Ends the turn. Call it when EAL holds its pages.
    void taken();

    [[nodiscard]] bool available() const { return available_; }
    // Returns empty text if pages are available, otherwise the reason and the command that would
    // reserve them.
    [[nodiscard]] const std::string& notice() const { return notice_; }

  private:
    void inherit();
    void give_back_all_but(std::span<const MemoryNeed> needs);
    void change(AddedPages& own, int64_t pages);
    AddedPages& reserved_on(std::optional<unsigned> node);
    bool take(const MemoryNeed& need, bool may_reserve);
    void give_back();

    bool available_ = false;
    std::vector<AddedPages> reserved_;  // pages that this process gives back
    PageRecord record_;
    LockFile turn_;
    std::string notice_;
};

// Returns the folder with the kernel's numbers of 2 MB pages, of a node or of the machine; ends
// with a slash.
std::string huge_page_folder(std::optional<unsigned> node);

}  // namespace sluice::pmd
