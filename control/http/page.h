// Page: the files of the web page (page/), which the build embeds into the program.
// Bound: files and sizes are fixed at build time.
#pragma once

#include <span>
#include <string_view>

namespace sluice::control::http {

struct PageFile {
    std::string_view path;  // path of the URL, begins with /
    std::string_view type;  // media type for Content-Type
    std::string_view text;
};

std::span<const PageFile> page_files();

}  // namespace sluice::control::http
