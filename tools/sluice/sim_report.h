// SimReport: results as one HTML file that needs nothing beside it: plots by Chart.js, tables, the
// scenario's text.
//
// The page (report/) is the same for all; what was found is embedded in it as JSON in which no `<`
// stands, so no name that a user chose can end it or be a script.
#pragma once

#include <cstdio>
#include <memory>
#include <string>

#include "tools/sluice/table.h"

namespace sluice::cli {

// `data` has `kind`: scenario, sweep or fabric; report/README.md says what else.
std::string report_page(Json data);

// Where the page is to go. Opened before a long run, so that a wrong path is told at once.
class ReportFile {
  public:
    // Throws CLI::ValidationError if it cannot be written.
    explicit ReportFile(const std::string& path);
    // False: it could not be written, which has been told.
    [[nodiscard]] bool write(const Json& data);

  private:
    struct Close {
        void operator()(std::FILE* file) const { std::fclose(file); }
    };
    std::string path_;
    std::unique_ptr<std::FILE, Close> file_;
};

}  // namespace sluice::cli
