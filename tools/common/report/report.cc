#include "tools/common/report/report.h"

#include <fmt/format.h>

#include <CLI/Error.hpp>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include "tools/common/report/page.h"

namespace sluice::cli {

namespace fs = std::filesystem;

std::string report_page(Json data) {
    data["version"] = report::version;
    std::string page(report::before_data);
    // JSON cannot contain octets that are not UTF-8: such octets, for example of a file name,
    // are replaced.
    for (const char letter :
         data.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace)) {
        if (letter == '<') {
            page += "\\u003c";
        } else {
            page += letter;
        }
    }
    return page += report::after_data;
}

ReportFile::ReportFile(const std::string& path, const std::string& input, std::string option)
    : option_(std::move(option)), path_(path) {
    if (path.empty())
        throw CLI::ValidationError(option_, "has an empty file name; write a file name");
    std::error_code none;
    // Writes to the target of a symbolic link, and keeps the link.
    if (fs::exists(path, none)) path_ = fs::canonical(path, none).string();
    const bool in_place = fs::exists(path_, none) && !fs::is_regular_file(path_, none);
    written_ = in_place ? path_ : path_ + ".part";
    for (const std::string& taken : {path_, written_}) {
        if (input.empty() || !fs::equivalent(taken, input, none)) continue;
        throw CLI::ValidationError(
            option_,
            fmt::format("{} is the scenario, which would be overwritten; name another file", path));
    }
    file_.reset(std::fopen(written_.c_str(), "wbe"));
    if (file_) return;
    throw CLI::ValidationError(option_, fmt::format("{} cannot be written: {}; name another file",
                                                    path, std::strerror(errno)));
}

ReportFile::~ReportFile() {
    if (file_ && written_ != path_) std::remove(written_.c_str());
}

bool ReportFile::write(const Json& data) {
    const std::string page = report_page(data);
    const bool whole = std::fwrite(page.data(), 1, page.size(), file_.get()) == page.size();
    const bool closed = whole && std::fclose(file_.release()) == 0;
    if (closed && (written_ == path_ || std::rename(written_.c_str(), path_.c_str()) == 0)) {
        return true;
    }
    fmt::print(stderr, "sluice: {}: {} could not be written: {}\n", option_, path_,
               std::strerror(errno));
    if (written_ != path_) std::remove(written_.c_str());
    return false;
}

}  // namespace sluice::cli
