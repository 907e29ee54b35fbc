#include "pmd_glue/huge_pages.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <chrono>
#include <fstream>
#include <thread>
#include <utility>

namespace sluice::pmd {
namespace {

constexpr int64_t page_octets = 2 * 1024 * 1024;
const std::string folder = "/sys/kernel/mm/hugepages/hugepages-2048kB/";

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

int64_t free_pages() {
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

// Who cannot write there cannot reserve pages either, and takes what is free.
int wait_for_turn() {
    ::mkdir("/run/sluice", 0755);
    const int file = ::open("/run/sluice/huge-pages", O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    if (file >= 0) ::flock(file, LOCK_EX);
    return file;
}

// Read, the number counts the surplus, too: pages given back that an ending process still has.
// Written, it does not.
int64_t reserved_pages() {
    return read_number(folder + "nr_hugepages") - read_number(folder + "surplus_hugepages");
}

// What an ending process gave back it still holds, for an instant; reserving now would only undo
// that.
void wait_for_the_ending() {
    if (read_number(folder + "nr_overcommit_hugepages") > 0)
        return;  // then others have surplus, too
    const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(1);
    while (read_number(folder + "surplus_hugepages") > 0 &&
           std::chrono::steady_clock::now() < limit) {
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
}

void change_reserved(int64_t pages) {
    write_number(folder + "nr_hugepages", reserved_pages() + pages);
}

}  // namespace

HugePages HugePages::take(Bytes needed) {
    HugePages result;
    result.turn_ = wait_for_turn();
    wait_for_the_ending();
    const int64_t pages = (needed.count() + page_octets - 1) / page_octets;
    const int64_t missing = pages - free_pages();
    if (missing > 0 && missing * page_octets <= available_octets() / 2) {
        const int64_t before = reserved_pages();
        change_reserved(missing);
        result.reserved_ = reserved_pages() - before;
    }
    result.available_ = free_pages() >= pages;
    if (!result.available_) {
        const int64_t too_few = std::exchange(result.reserved_, 0);
        if (too_few > 0) change_reserved(-too_few);
        result.notice_ = "no huge pages: " + std::to_string(pages) +
                         " pages of 2 MB are needed, so ordinary memory is used and the switch is "
                         "slower; to have them: `echo " +
                         std::to_string(reserved_pages() + missing) + " > " + folder +
                         "nr_hugepages`";
    }
    return result;
}

void HugePages::taken() {
    if (const int file = std::exchange(turn_, -1); file >= 0) ::close(file);
}

HugePages::HugePages(HugePages&& other) noexcept
    : available_(other.available_),
      reserved_(std::exchange(other.reserved_, 0)),
      turn_(std::exchange(other.turn_, -1)),
      notice_(std::move(other.notice_)) {}

HugePages& HugePages::operator=(HugePages&& other) noexcept {
    std::swap(available_, other.available_);
    std::swap(reserved_, other.reserved_);
    std::swap(turn_, other.turn_);
    std::swap(notice_, other.notice_);
    return *this;
}

HugePages::~HugePages() {
    if (reserved_ > 0) {
        if (turn_ < 0) turn_ = wait_for_turn();
        change_reserved(-reserved_);
    }
    taken();
}

}  // namespace sluice::pmd
