// SimReport: writes results as one self-contained HTML file: plots by Chart.js, tables, the
// scenario's text.
//
// The page (report/) is the same for all reports. The results are embedded in it as JSON without
// any `<`, so no text of a user can end the data or become a script.
#pragma once

#include <cstdio>
#include <memory>
#include <string>

#include "tools/common/table.h"

namespace sluice::cli {

// Returns the page. `data` has `kind`: scenario, sweep, fabric or headroom; README.md lists its
// other keys.
std::string report_page(Json data);

// File of the page. It is written as FILE.part and renamed when complete; an old file stays until
// then. It is opened before a long run, so that a wrong path is reported at once. A device or a
// pipe is written directly.
class ReportFile {
  public:
    // Throws CLI::ValidationError if the file cannot be written, or is the `input` of the run.
    // `option`: the option that named it.
    explicit ReportFile(const std::string& path, const std::string& input = {},
                        std::string option = "--html");
    ReportFile(const ReportFile&) = delete;
    ReportFile& operator=(const ReportFile&) = delete;
    ~ReportFile();
    // Writes the page. If the file cannot be written, reports that and returns false.
    [[nodiscard]] bool write(const Json& data);

  private:
    struct Close {
        void operator()(std::FILE* file) const { std::fclose(file); }
    };
    std::string option_;
    std::string path_;
    std::string written_;  // path that is written until the page is complete
    std::unique_ptr<std::FILE, Close> file_;
};

}  // namespace sluice::cli
