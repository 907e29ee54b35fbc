#include "tests/bench/report.h"

#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <map>
#include <string_view>

namespace sluice::bench {
namespace {

// Of a virtual one the name alone may stand for several generations.
std::string processor() {
    std::ifstream lines("/proc/cpuinfo");
    std::map<std::string, std::string> first;
    for (std::string line; std::getline(lines, line) && !line.empty();) {
        const std::size_t colon = line.find(':');
        if (colon + 2 < line.size()) {
            first[line.substr(0, line.find('\t'))] = line.substr(colon + 2);
        }
    }
    return fmt::format("{} (family {}, model {})", first["model name"], first["cpu family"],
                       first["model"]);
}

std::string as_text(const nlohmann::ordered_json& value) {
    if (value.is_number_float()) return fmt::format("{:.2f}", value.get<double>());
    return value.is_string() ? value.get<std::string>() : value.dump();
}

}  // namespace

Report::Report(int count, char** arguments) : machine_(processor()) {
    for (int n = 1; n < count; ++n) json_ |= std::string_view(arguments[n]) == "--json";
    const char* commit = std::getenv("SLUICE_COMMIT");
    commit_ = commit != nullptr ? commit : "unknown";
    if (!json_) fmt::print("on {}, commit {}:\n", machine_, commit_);
}

void Report::add(const std::string& bench, nlohmann::ordered_json fields) {
    if (json_) {
        nlohmann::ordered_json line = {{"bench", bench}};
        line.update(fields);
        line["commit"] = commit_;
        line["machine"] = machine_;
        fmt::print("{}\n", line.dump());
    } else {
        std::string line = fmt::format("{:<16}", bench);
        for (const auto& [key, value] : fields.items()) {
            line += fmt::format("  {} {}", key, as_text(value));
        }
        fmt::print("{}\n", line);
    }
    std::fflush(stdout);
}

double processor_seconds() {
    timespec used{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    return static_cast<double>(used.tv_sec) + 1e-9 * static_cast<double>(used.tv_nsec);
}

double cycles_a_nanosecond() {
    using Clock = std::chrono::steady_clock;
    const auto start = Clock::now();
    const uint64_t from = cycles();
    while (Clock::now() - start < std::chrono::milliseconds(50)) {
    }
    const auto passed = std::chrono::duration<double, std::nano>(Clock::now() - start).count();
    return static_cast<double>(cycles() - from) / passed;
}

}  // namespace sluice::bench
