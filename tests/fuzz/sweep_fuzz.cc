// Whatever lies in the folder of a sweep, or kubectl answers: a result is believed only if writing
// it again gives one that is believed as well, and an answer that makes no sense is an error.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "tests/fuzz/promises.h"
#include "tools/sluice/sim/cluster/job.h"
#include "tools/sluice/sim/cluster/run_file.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
    using namespace sluice::cli;
    using sluice::test::must;
    constexpr std::string_view key = "0123456789abcdef";  // as in the corpus
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    if (const auto outcome = outcome_of(text, 7, key)) {
        const auto again = outcome_of(text_of_run(7, key, *outcome), 7, key);
        must(again.has_value(), "what is believed can be written");
        must(again->rows == outcome->rows, "and is the same");
        must(!outcome_of(text, 8, key), "and is of one run");
    }
    const auto runs = is_job_running(text);
    must(runs || !runs.error().empty(), "it runs, or not, or nobody knows why");
    return 0;
}
