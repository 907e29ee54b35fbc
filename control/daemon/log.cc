#include "control/daemon/log.h"

#include <fmt/format.h>
#include <spdlog/details/os.h>
#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/base_sink.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <memory>
#include <mutex>
#include <string_view>
#include <utility>

#include "pmd_glue/standard_error.h"

namespace sluice::control {

namespace {

std::string_view colour_of(spdlog::level::level_enum level) {
    if (level >= spdlog::level::err) return "\x1b[1;31m";
    return level == spdlog::level::warn ? "\x1b[1;33m" : "\x1b[32m";
}

class Sink final : public spdlog::sinks::base_sink<std::mutex> {
  public:
    Sink(std::string name, pmd::StandardError& output)
        : name_(std::move(name)),
          output_(output),
          colours_(::isatty(STDERR_FILENO) == 1 && spdlog::details::os::is_color_terminal()) {}

  private:
    void sink_it_(const spdlog::details::log_msg& line) override {
        if (!report_lost() || !output_.offer(text_of(line))) output_.lose();
    }
    void flush_() override { report_lost(); }

    // Writes the number of lost lines before any other line, so that the number appears where the
    // lines are missing.
    bool report_lost() {
        const uint64_t lost = output_.lost();
        if (lost == reported_) return true;
        const std::string text =
            fmt::format("{} lines lost: standard error was not read in time", lost - reported_);
        if (!output_.offer(text_of({name_, spdlog::level::warn, text}))) return false;
        reported_ = lost;
        return true;
    }

    std::string text_of(const spdlog::details::log_msg& line) {
        spdlog::memory_buf_t formatted;
        formatter_->format(line, formatted);
        std::string text = fmt::to_string(formatted);
        if (colours_ && line.color_range_end > line.color_range_start) {
            text.insert(line.color_range_end, "\x1b[m");
            text.insert(line.color_range_start, colour_of(line.level));
        }
        return text;
    }

    const std::string name_;
    pmd::StandardError& output_;
    const bool colours_;
    uint64_t reported_ = 0;  // number of lost lines, as last reported
};

}  // namespace

void set_up_log(const LogOptions& options) {
    auto log = std::make_shared<spdlog::logger>(
        options.name, std::make_shared<Sink>(options.name, pmd::standard_error()));
    log->set_level(spdlog::level::from_str(options.level));
    log->set_pattern(options.pattern);
    spdlog::set_default_logger(std::move(log));
}

uint64_t lost_log_lines() { return pmd::standard_error().lost(); }

}  // namespace sluice::control
