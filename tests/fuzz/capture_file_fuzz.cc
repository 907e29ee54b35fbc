// Whatever a file holds that is named as a capture, the reading ends, and what it names is a link
// type: one line of letters, digits and underscores, never Ethernet.
#include <cstddef>
#include <cstdint>
#include <sstream>
#include <string>
#include <string_view>

#include "pmd_glue/capture_file.h"
#include "tests/fuzz/promises.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
    using namespace sluice;
    std::istringstream capture(std::string(reinterpret_cast<const char*>(data), size));
    const auto other = pmd::other_than_ethernet(capture);
    if (!other) return 0;
    constexpr std::string_view allowed =
        " 0123456789_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    test::must(other->starts_with("link type "), "it names a link type");
    test::must(other->find_first_not_of(allowed) == std::string::npos, "in plain words");
    test::must(*other != "link type ETHERNET" && !other->starts_with("link type ETHERNET at"),
               "Ethernet is fine");
    return 0;
}
