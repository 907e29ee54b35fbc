// Page: the files of the web page (page/), which the build puts into the program.
#pragma once

#include <span>
#include <string_view>

namespace sluice::control::http {

struct PageFile {
    std::string_view path;
    std::string_view type;
    std::string_view text;
};

std::span<const PageFile> page_files();

}  // namespace sluice::control::http
