// Help layout: makes `--help` fit the terminal and keeps the columns of the text after the options.
// CLI11 before 2.5 breaks no lines; later releases reformat all text as paragraphs by default.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <utility>

#include "config/terminal.h"

namespace sluice::config {

// Applies to the app and to all commands that are added to it afterwards.
inline void keep_layout(CLI::App& app) {
    const auto usual = [](auto formatter) {
        if constexpr (requires { formatter->enable_footer_formatting(false); }) {
            formatter->enable_footer_formatting(false);
            formatter->right_column_width(unlimited_width);
        }
        return formatter;
    }(std::make_shared<CLI::Formatter>());
    app.formatter_fn([usual](const CLI::App* asked, std::string name, CLI::AppFormatMode mode) {
        return hanging(usual->make_help(asked, std::move(name), mode), width_of_output());
    });
}

}  // namespace sluice::config
