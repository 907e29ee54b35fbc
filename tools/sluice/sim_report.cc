#include "tools/sluice/sim_report.h"

#include <fmt/format.h>

#include <CLI/Error.hpp>
#include <cerrno>
#include <cstring>

#include "tools/sluice/report/page.h"

namespace sluice::cli {

std::string report_page(Json data) {
    data["version"] = report::version;
    std::string page(report::before_data);
    // Octets that are no UTF-8 cannot be in JSON, and no file name is worth a failure.
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

ReportFile::ReportFile(const std::string& path)
    : path_(path), file_(std::fopen(path.c_str(), "wbe")) {
    if (file_) return;
    throw CLI::ValidationError(
        "--html",
        fmt::format("{} cannot be written: {}; name a file that can", path, std::strerror(errno)));
}

bool ReportFile::write(const Json& data) {
    const std::string page = report_page(data);
    const bool whole = std::fwrite(page.data(), 1, page.size(), file_.get()) == page.size();
    if (whole && std::fclose(file_.release()) == 0) return true;
    fmt::print(stderr, "sluice: --html: {} could not be written: {}\n", path_,
               std::strerror(errno));
    return false;
}

}  // namespace sluice::cli
