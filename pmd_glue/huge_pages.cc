#include "pmd_glue/huge_pages.h"

#include <linux/mempolicy.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <algorithm>
#include <array>
#include <chrono>
#include <fstream>
#include <thread>
#include <utility>

namespace sluice::pmd {
namespace {

constexpr int64_t page_octets = 2 * 1024 * 1024;
// Longest wait for each process whose turn is earlier.
constexpr std::chrono::seconds patience_to_take{20};
constexpr std::chrono::seconds patience_to_give_back{10};

int64_t read_number(const std::string& path) {
    int64_t number = 0;
    std::ifstream(path) >> number;
    return number;
}

bool write_number(const std::string& path, int64_t number) {
    std::ofstream file(path);
    file << number << std::flush;
    return file.good();
}

int64_t free_pages(const std::string& folder) {
    return read_number(folder + "free_hugepages") - read_number(folder + "resv_hugepages");
}

int64_t available_octets() {
    std::ifstream file("/proc/meminfo");
    std::string key;
    int64_t kilobytes = 0;
    for (std::string rest; file >> key >> kilobytes; std::getline(file, rest)) {
        if (key == "MemAvailable:") return kilobytes * 1024;
    }
    return 0;
}

// A user who cannot write to /run/sluice gets no turn: such a user cannot reserve pages either, and
// uses free ones. A turn lasts until EAL has started and cleared its pages. The wait includes the
// turns of processes that are ahead.
tl::expected<LockFile, Error> take_turn(std::chrono::seconds patience) {
    return LockFile::take({.key = "huge pages",
                           .path = std::string(run_folder) + "/huge-pages",
                           .thing = "the lock for reserving them",
                           .patience = patience});
}

// Returns the reserved pages. nr_hugepages includes surplus pages when it is read, but not when it
// is written. Surplus pages are freed pages that an ending process still has.
int64_t reserved_pages(const std::string& folder) {
    return read_number(folder + "nr_hugepages") - read_number(folder + "surplus_hugepages");
}

// Waits until ending processes have released the pages that they gave back; until then these pages
// are surplus. Reserving pages earlier would only make the surplus pages permanent again.
void wait_for_the_ending() {
    const std::string folder = huge_page_folder(std::nullopt);
    // With overcommit other processes have surplus pages too.
    if (read_number(folder + "nr_overcommit_hugepages") > 0) return;
    const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(1);
    while (read_number(folder + "surplus_hugepages") > 0 &&
           std::chrono::steady_clock::now() < limit) {
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
}

// Binds the memory policy of this thread to one node while the object exists.
class BoundTo {
  public:
    explicit BoundTo(unsigned node) {
        if (node >= most_nodes ||
            ::syscall(SYS_get_mempolicy, &mode_, nodes_.data(), most_nodes, nullptr, 0) != 0) {
            return;
        }
        Nodes only{};
        only[node / 64] = uint64_t{1} << node % 64;
        bound_ = ::syscall(SYS_set_mempolicy, MPOL_BIND, only.data(), most_nodes) == 0;
    }
    ~BoundTo() {
        if (bound_) ::syscall(SYS_set_mempolicy, mode_, nodes_.data(), most_nodes);
    }
    BoundTo(const BoundTo&) = delete;
    BoundTo& operator=(const BoundTo&) = delete;

    // Returns false if the kernel refused the policy.
    explicit operator bool() const { return bound_; }

  private:
    static constexpr unsigned long most_nodes = 1024;  // no Linux has more
    using Nodes = std::array<uint64_t, most_nodes / 64>;

    int mode_ = MPOL_DEFAULT;
    Nodes nodes_{};
    bool bound_ = false;
};

// Changes the machine's number of pages; if `node` is given, on this node only. The node's own file
// is not used: on a write the kernel would turn surplus pages, which an ending process holds on
// other nodes, into permanent ones.
void change_reserved(std::optional<unsigned> node, int64_t pages) {
    const std::string folder = huge_page_folder(std::nullopt);
    if (!node) {
        write_number(folder + "nr_hugepages", reserved_pages(folder) + pages);
    } else if (const BoundTo bound(*node); bound) {
        write_number(folder + "nr_hugepages_mempolicy", reserved_pages(folder) + pages);
    }
}

int64_t pages_for(const MemoryNeed& need) {
    return (need.octets.count() + page_octets - 1) / page_octets;
}

int64_t missing_pages(const MemoryNeed& need) {
    return std::max<int64_t>(0, pages_for(need) - free_pages(huge_page_folder(need.node)));
}

}  // namespace

std::string huge_page_folder(std::optional<unsigned> node) {
    const std::string sizes = "hugepages/hugepages-2048kB/";
    return node ? "/sys/devices/system/node/node" + std::to_string(*node) + "/" + sizes
                : "/sys/kernel/mm/" + sizes;
}

tl::expected<HugePages, Error> HugePages::take(std::span<const MemoryNeed> needs) {
    auto turn = take_turn(patience_to_take);
    if (!turn) return tl::unexpected(std::move(turn.error()));
    HugePages result;
    result.turn_ = std::move(*turn);
    wait_for_the_ending();
    result.inherit();
    result.give_back_all_but(needs);
    int64_t missing = 0;
    for (const MemoryNeed& need : needs) missing += missing_pages(need);
    const bool may_reserve = missing * page_octets <= available_octets() / 2;
    result.available_ = std::ranges::all_of(
        needs, [&](const MemoryNeed& need) { return result.take(need, may_reserve); });
    if (!result.available_) result.give_back();
    return result;
}

bool HugePages::take(const MemoryNeed& need, bool may_reserve) {
    const std::string folder = huge_page_folder(need.node);
    if (const int64_t missing = missing_pages(need); missing > 0 && may_reserve) {
        change(reserved_on(need.node), missing);
    }
    const int64_t missing = missing_pages(need);
    if (missing == 0) return true;
    notice_ = "no huge pages: " + std::to_string(pages_for(need)) +
              " pages of 2 MB are needed, so ordinary memory is used and the switch is slower; to "
              "have them: `echo " +
              std::to_string(reserved_pages(folder) + missing) + " > " + folder + "nr_hugepages`";
    return false;
}

// Takes over the pages that killed processes have added, to give them back. Continues one of their
// records, since two records of the same pages would give back twice as many, including pages that
// an operator added.
void HugePages::inherit() {
    std::vector<PageRecord> records = PageRecord::of_the_dead();
    for (const PageRecord& record : records) {
        for (const AddedPages& added : record.read()) {
            const int64_t now = reserved_pages(huge_page_folder(added.node));
            const int64_t most = added.from ? now - *added.from : now;
            const int64_t pages = std::clamp<int64_t>(most, 0, added.pages);
            if (pages > 0) reserved_on(added.node).pages += pages;
        }
    }
    if (records.empty()) return;
    record_ = std::move(records.front());
    for (PageRecord& record : std::span(records).subspan(1)) record.remove();
    record_.write(reserved_);
}

// Gives back the inherited pages that `needs` does not cover.
void HugePages::give_back_all_but(std::span<const MemoryNeed> needs) {
    for (AddedPages& own : reserved_) {
        int64_t needed = 0;
        for (const MemoryNeed& need : needs) {
            if (need.node == own.node) needed += pages_for(need);
        }
        const int64_t others = free_pages(huge_page_folder(own.node)) - own.pages;
        const int64_t kept = std::clamp<int64_t>(needed - others, 0, own.pages);
        if (kept < own.pages) change(own, kept - own.pages);
    }
}

AddedPages& HugePages::reserved_on(std::optional<unsigned> node) {
    const auto found = std::ranges::find(reserved_, node, &AddedPages::node);
    return found != reserved_.end() ? *found : reserved_.emplace_back(AddedPages{.node = node});
}

// If the process is killed during this call, its record and the machine's number of pages let the
// next process compute how many pages were already changed (`inherit`).
void HugePages::change(AddedPages& own, int64_t pages) {
    const std::string folder = huge_page_folder(own.node);
    const int64_t before = reserved_pages(folder), had = own.pages;
    own = {.node = own.node, .pages = std::max(had, had + pages), .from = before - had};
    record_.write(reserved_);
    change_reserved(own.node, pages);
    const int64_t has = had + reserved_pages(folder) - before;
    own = {.node = own.node, .pages = std::max<int64_t>(has, 0)};
    record_.write(reserved_);
}

void HugePages::give_back() {
    for (AddedPages& own : reserved_) change(own, -own.pages);
    reserved_.clear();
    record_.remove();
}

void HugePages::taken() { turn_ = LockFile(); }

HugePages::HugePages(HugePages&& other) noexcept
    : available_(other.available_),
      reserved_(std::exchange(other.reserved_, {})),
      record_(std::exchange(other.record_, {})),
      turn_(std::move(other.turn_)),
      notice_(std::move(other.notice_)) {}

HugePages& HugePages::operator=(HugePages&& other) noexcept {
    std::swap(available_, other.available_);
    std::swap(reserved_, other.reserved_);
    std::swap(record_, other.record_);
    std::swap(turn_, other.turn_);
    std::swap(notice_, other.notice_);
    return *this;
}

HugePages::~HugePages() {
    if (!reserved_.empty() && !turn_) {
        if (auto turn = take_turn(patience_to_give_back)) turn_ = std::move(*turn);
    }
    give_back();
}

}  // namespace sluice::pmd
