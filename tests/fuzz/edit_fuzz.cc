// Fuzzes the editor of configurations: `PATH\nVALUE\n` before any text; without VALUE the key goes.
// What it gives is read as YAML, whatever the text was, or it gives one line that says why not.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "config/edit/edit.h"
#include "tests/fuzz/promises.h"

namespace {

using sluice::test::must;

// Up to its line end, which goes with it.
std::string_view line_of(std::string_view& text) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(line.size() == text.size() ? line.size() : line.size() + 1);
    return line;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    std::string_view text(reinterpret_cast<const char*>(data), size);
    const std::string_view path = line_of(text);
    const std::string_view value = line_of(text);
    const auto edited = value.empty() ? sluice::config::unset_key(text, path)
                                      : sluice::config::set_key(text, path, value);
    if (!edited) {
        must(!edited.error().empty(), "what is refused has a reason");
        must(edited.error().find('\n') == std::string::npos, "of one line");
        return 0;
    }
    sluice::config::Report report("edited");
    must(sluice::config::read_document(*edited, report).has_value() && report.clean(),
         "what is edited is a document");
    return 0;
}
