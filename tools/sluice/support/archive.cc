#include "tools/sluice/support/archive.h"

#include <fmt/format.h>

namespace sluice::cli {

namespace {

constexpr std::size_t block = 512;
constexpr std::size_t longest_entry = 99;

void put(std::string& header, std::size_t at, std::string_view text) {
    header.replace(at, text.size(), text);
}

// Returns the header of a file that only its owner may read.
std::string header_of(const std::string& name, std::size_t size, int64_t modified) {
    std::string header(block, '\0');
    put(header, 0, std::string_view(name).substr(0, longest_entry));
    put(header, 100, "0000600");
    put(header, 108, "0000000");
    put(header, 116, "0000000");
    put(header, 124, fmt::format("{:011o}", size));
    put(header, 136, fmt::format("{:011o}", modified));
    put(header, 148, "        ");  // the checksum is computed with blanks in its own field
    put(header, 156, "0");
    put(header, 257, std::string_view("ustar\00000", 8));
    unsigned sum = 0;
    for (const char octet : header) sum += static_cast<unsigned char>(octet);
    put(header, 148, fmt::format("{:06o}", sum) + std::string("\0 ", 2));
    return header;
}

}  // namespace

void Archive::add(const std::string& name, std::string_view text) {
    octets_ += header_of(name, text.size(), modified_);
    octets_ += text;
    octets_.append((block - text.size() % block) % block, '\0');
}

std::string Archive::octets() const { return octets_ + std::string(2 * block, '\0'); }

}  // namespace sluice::cli
