#include "pmd_glue/huge_pages.h"

#include <fstream>
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

void change_reserved(int64_t pages) {
    const std::string path = folder + "nr_hugepages";
    write_number(path, read_number(path) + pages);
}

}  // namespace

HugePages HugePages::take(Bytes needed) {
    HugePages result;
    const int64_t pages = (needed.count() + page_octets - 1) / page_octets;
    const int64_t missing = pages - free_pages();
    const std::string path = folder + "nr_hugepages";
    if (missing > 0 && missing * page_octets <= available_octets() / 2) {
        const int64_t before = read_number(path);
        change_reserved(missing);
        result.reserved_ = read_number(path) - before;
    }
    result.available_ = free_pages() >= pages;
    if (!result.available_) {
        const int64_t total = read_number(path) - std::exchange(result.reserved_, 0);
        if (read_number(path) != total) write_number(path, total);
        result.notice_ = "no huge pages: " + std::to_string(pages) +
                         " pages of 2 MB are needed, so ordinary memory is used and the switch is "
                         "slower; to have them: `echo " +
                         std::to_string(total + missing) + " > " + path + "`";
    }
    return result;
}

HugePages::HugePages(HugePages&& other) noexcept
    : available_(other.available_),
      reserved_(std::exchange(other.reserved_, 0)),
      notice_(std::move(other.notice_)) {}

HugePages& HugePages::operator=(HugePages&& other) noexcept {
    std::swap(available_, other.available_);
    std::swap(reserved_, other.reserved_);
    std::swap(notice_, other.notice_);
    return *this;
}

HugePages::~HugePages() {
    if (reserved_ > 0) change_reserved(-reserved_);
}

}  // namespace sluice::pmd
