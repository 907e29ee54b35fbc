// Huge pages: takes 2 MB pages where they can be had, and says so where they cannot.
//
// Free pages are used as they are. With too few, and /sys writable, the missing ones are reserved,
// but never more than half of what memory is available, so that a laptop is not driven to swap;
// they are given back at the end. Without them everything works, more slowly.
// Free pages belong to whoever takes them first, so processes of ours take turns: from `take` until
// `taken`, by when EAL must hold its pages, the others wait (a locked file,
// /run/sluice/huge-pages).
#pragma once

#include <cstdint>
#include <string>

#include "dataplane/units.h"

namespace sluice::pmd {

class HugePages {
  public:
    // Sees to pages for `needed` octets.
    static HugePages take(Bytes needed);

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
    bool available_ = false;
    int64_t reserved_ = 0;  // pages that we added
    int turn_ = -1;         // the locked file
    std::string notice_;
};

}  // namespace sluice::pmd
