// SimReport: results as one HTML file that needs nothing beside it: plots by Chart.js, tables, the
// scenario's text.
//
// The page (report/) is the same for all; what was found is embedded in it as JSON in which no `<`
// stands, so no name that a user chose can end it or be a script.
#pragma once

#include <cstdio>
#include <memory>
#include <string>

#include "tools/common/table.h"

namespace sluice::cli {

// `data` has `kind`: scenario, sweep, fabric or headroom; report/README.md says what else.
std::string report_page(Json data);

// Where the page is to go. It is written beside its place, as FILE.part, and takes it when it is
// whole: what was there before stays until then. Opened before a long run, so that a wrong path is
// reported at once. A device or a pipe is written as it is.
class ReportFile {
  public:
    // Throws CLI::ValidationError if it cannot be written, or is the `input` of the run. `option`:
    // what named it.
    explicit ReportFile(const std::string& path, const std::string& input = {},
                        std::string option = "--html");
    ReportFile(const ReportFile&) = delete;
    ReportFile& operator=(const ReportFile&) = delete;
    ~ReportFile();
    // False: it could not be written, which has been reported.
    [[nodiscard]] bool write(const Json& data);

  private:
    struct Close {
        void operator()(std::FILE* file) const { std::fclose(file); }
    };
    std::string option_;
    std::string path_;
    std::string written_;  // until the page is whole
    std::unique_ptr<std::FILE, Close> file_;
};

}  // namespace sluice::cli
