// Help layout: what a program's --help says after its options stands as it was written, in columns.
// CLI11 from 2.5 on makes paragraphs of it, unless it is told not to.
#pragma once

namespace sluice::config {

// Of a CLI::App and of all that is put below it afterwards.
template <class App>
void keep_layout(App& app) {
    const auto formatter = app.get_formatter();
    if constexpr (requires { formatter->enable_footer_formatting(false); }) {
        formatter->enable_footer_formatting(false);
    }
}

}  // namespace sluice::config
