#include "tools/sluice/sim/cluster/run_file.h"

#include <algorithm>
#include <utility>

#include "tools/sluice/sim/cluster/digest.h"

namespace sluice::cli {

namespace {

std::string check_of(std::string_view key, bool failed, const Json& rows) {
    return Digest().add(key).add(failed ? "failed" : "complete").add(rows.dump()).text();
}

bool is_text(const Json& document, const char* key, std::string_view wanted) {
    const auto found = document.find(key);
    return found != document.end() && found->is_string() &&
           found->get_ref<const std::string&>() == wanted;
}

}  // namespace

std::string text_of_run(std::size_t run, std::string_view key, const Outcome& outcome) {
    const Json document = {{"run", run},
                           {"key", key},
                           {"check", check_of(key, outcome.failed(), outcome.rows)},
                           {"failed", outcome.failed()},
                           {"rows", outcome.rows}};
    return document.dump() + '\n';
}

std::optional<Outcome> outcome_of(std::string_view text, std::size_t run, std::string_view key) {
    if (text.size() > longest_run_file) return std::nullopt;
    Json document = Json::parse(text, nullptr, false);
    if (!document.is_object() || !document.contains("run") || document["run"] != run ||
        !is_text(document, "key", key)) {
        return std::nullopt;
    }
    const auto failed = document.find("failed");
    const auto rows = document.find("rows");
    if (failed == document.end() || !failed->is_boolean() || rows == document.end() ||
        !rows->is_array() ||
        !std::ranges::all_of(*rows, [](const Json& row) { return row.is_object(); }) ||
        !is_text(document, "check", check_of(key, failed->get<bool>(), *rows))) {
        return std::nullopt;
    }
    return Outcome{.state = failed->get<bool>() ? Outcome::State::failed : Outcome::State::complete,
                   .rows = std::move(*rows)};
}

}  // namespace sluice::cli
