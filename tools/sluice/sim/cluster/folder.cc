#include "tools/sluice/sim/cluster/folder.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <system_error>

#include "tools/common/report/page.h"
#include "tools/sim/scenario/scenario.h"
#include "tools/sim/scenario/trace_reader.h"
#include "tools/sluice/sim/cluster/atomic_file.h"
#include "tools/sluice/sim/cluster/digest.h"
#include "tools/sluice/sim/cluster/run_file.h"
#include "tools/sluice/sim/cluster/sources.h"

namespace sluice::cli {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t longest_plan = 64 * 1024 * 1024;
constexpr std::size_t longest_note = 4096;
constexpr const char* refusal_file = "log/refused.txt";
constexpr std::size_t longest_input = std::max<std::size_t>(sim::longest_trace, 1024 * 1024);

template <class Value>
std::optional<Value> as(const Json& document, const char* key) {
    try {
        return document.at(key).get<Value>();
    } catch (const Json::exception&) {
        return std::nullopt;
    }
}

Json read_json(const fs::path& path, std::size_t longest) {
    const auto text = read_file(path, longest);
    return text ? Json::parse(*text, nullptr, false) : Json();
}

// Returns the digest of a sweep's files; none if one of them cannot be read.
std::optional<std::string> digest_of(const std::string& text, const fs::path& folder,
                                     const std::vector<std::string>& traces) {
    Digest digest;
    digest.add(text);
    for (const std::string& name : traces) {
        const auto trace = read_file(folder / name, longest_input);
        if (!trace) return std::nullopt;
        digest.add(name).add(*trace);
    }
    return digest.text();
}

Json plan_of(const Sweep& sweep, const std::vector<std::string>& traces,
             const std::string& made_of) {
    Json changes = Json::array();
    for (const sim::Override& change : sweep.changes)
        changes.push_back({change.path, change.value});
    Json swept = Json::array();
    for (const Swept& one : sweep.swept) {
        swept.push_back({{"key", one.key}, {"values", one.values}});
    }
    return {{"sluice", report::version},
            {"sources", simulator_sources},
            {"file", fs::path(sweep.file).filename().string()},
            {"traces", traces},
            {"changes", std::move(changes)},
            {"swept", std::move(swept)},
            {"made_of", made_of}};
}

// Writes a copy; refuses to change a file with other contents.
std::string put_copy(const fs::path& to, const std::string& text) {
    std::error_code failed;
    if (fs::exists(to, failed) && read_file(to, longest_input) != text) {
        return fmt::format("{} has other contents; name another folder, or a new one", to.string());
    }
    return write_atomically(to, text);
}

std::string copy(const std::string& text, const fs::path& from, const fs::path& to,
                 const std::vector<std::string>& traces, const std::string& name) {
    if (std::string why = put_copy(to / name, text); !why.empty()) return why;
    for (const std::string& trace : traces) {
        const auto octets = read_file(from / trace, longest_input);
        if (!octets) return fmt::format("{} cannot be read", (from / trace).string());
        std::error_code failed;
        fs::create_directories((to / trace).parent_path(), failed);
        if (std::string why = put_copy(to / trace, *octets); !why.empty()) return why;
    }
    return {};
}

constexpr std::array<const char*, 4> parts = {"scenario", "lists", "runs", "log"};

// Whether the folder has only files of a folder whose creation was interrupted.
bool is_half_made(const fs::path& path) {
    std::error_code failed;
    for (fs::directory_iterator at(path, failed), end; !failed && at != end; at.increment(failed)) {
        const std::string name = at->path().filename().string();
        if (name.starts_with("sweep.json.") && name.ends_with(".part")) continue;
        std::error_code unknown;
        if (std::ranges::find(parts, name) == parts.end() || !at->is_directory(unknown)) {
            return false;
        }
        const bool may_hold_files = name == "scenario" || name == "log";
        if (!may_hold_files && !fs::is_empty(at->path(), unknown)) return false;
    }
    return !failed;
}

// Makes the folder and its parts. Returns why it failed; empty if it did not.
std::string make_folders(const fs::path& path) {
    for (const char* name : parts) {
        std::error_code failed;
        fs::create_directories(path / name, failed);
        if (failed) {
            return fmt::format("{} cannot be made: {}", (path / name).string(), failed.message());
        }
    }
    return {};
}

}  // namespace

tl::expected<SweepFolder, std::string> SweepFolder::of(const std::string& path, const Sweep& sweep,
                                                       const std::vector<std::string>& traces) {
    std::error_code failed;
    const fs::path folder = fs::absolute(path, failed);
    const fs::path beside = fs::path(sweep.file).parent_path();
    const auto made_of = digest_of(sweep.text, beside, traces);
    if (!made_of)
        return tl::unexpected(std::string("a trace of the scenario cannot be read again"));
    const Json plan = plan_of(sweep, traces, *made_of);
    if (fs::exists(folder / "sweep.json", failed)) {
        if (read_json(folder / "sweep.json", longest_plan) == plan) return read(folder.string());
        return tl::unexpected(fmt::format(
            "{} holds another sweep, or one by another sluice; name another folder, or remove it",
            path));
    }
    if (fs::exists(folder, failed) && !is_half_made(folder)) {
        return tl::unexpected(fmt::format(
            "{} is not empty and holds no sweep; name another folder, or one to be made", path));
    }
    if (std::string why = make_folders(folder); !why.empty()) return tl::unexpected(std::move(why));
    const std::string name = plan["file"].get<std::string>();
    if (std::string why = copy(sweep.text, beside, folder / "scenario", traces, name);
        !why.empty()) {
        return tl::unexpected(std::move(why));
    }
    if (std::string why = write_atomically(folder / "sweep.json", plan.dump(1) + '\n');
        !why.empty()) {
        return tl::unexpected(std::move(why));
    }
    return read(folder.string());
}

tl::expected<SweepFolder, std::string> SweepFolder::read(const std::string& path) {
    const Json plan = read_json(fs::path(path) / "sweep.json", longest_plan);
    if (!plan.is_object()) {
        return tl::unexpected(fmt::format("{} holds no sweep that can be read", path));
    }
    return planned(path, plan);
}

tl::expected<SweepFolder, std::string> SweepFolder::planned(const fs::path& path,
                                                            const Json& plan) {
    const auto damaged = [&](const char* what) {
        return tl::unexpected(
            fmt::format("{}: {}; name another folder, or remove it", path.string(), what));
    };
    if (as<std::string>(plan, "sluice") != report::version ||
        as<std::string>(plan, "sources") != simulator_sources) {
        return damaged("its sweep is of another sluice than this one, which may count otherwise");
    }
    const auto file = as<std::string>(plan, "file");
    const auto traces = as<std::vector<std::string>>(plan, "traces");
    const auto changes = as<std::vector<std::vector<std::string>>>(plan, "changes");
    const auto swept = as<Json>(plan, "swept");
    const auto made_of = as<std::string>(plan, "made_of");
    if (!file || !traces || !changes || !swept || !swept->is_array() || !made_of) {
        return damaged("sweep.json is damaged");
    }
    SweepFolder folder(path);
    folder.sweep_.file = (path / "scenario" / *file).string();
    for (const auto& change : *changes) {
        if (change.size() != 2) return damaged("sweep.json is damaged");
        folder.sweep_.changes.push_back({change[0], change[1]});
    }
    for (const Json& one : *swept) {
        const auto key = as<std::string>(one, "key");
        const auto values = as<std::vector<std::string>>(one, "values");
        if (!key || !values) return damaged("sweep.json is damaged");
        folder.sweep_.swept.push_back({*key, *values});
    }
    folder.runs_ = combinations(folder.sweep_.swept);
    if (folder.runs_.size() > most_combinations) return damaged("sweep.json is damaged");
    const auto text = read_file(folder.sweep_.file, longest_input);
    if (!text || digest_of(*text, path / "scenario", *traces) != *made_of) {
        return damaged("what is in its scenario/ is not what the sweep began with");
    }
    folder.sweep_.text = *text;
    folder.made_of_ = Digest().add(plan.dump()).text();
    return folder;
}

std::string SweepFolder::key_of(std::size_t run) const {
    Digest digest;
    digest.add(made_of_);
    for (const sim::Override& change : runs_[run]) digest.add(change.path).add(change.value);
    return digest.text();
}

fs::path SweepFolder::file_of(std::size_t run) const {
    return path_ / "runs" / fmt::format("{}.json", run);
}

std::optional<Outcome> SweepFolder::outcome(std::size_t run) const {
    const auto text = read_file(file_of(run), longest_run_file);
    return text ? outcome_of(*text, run, key_of(run)) : std::nullopt;
}

bool SweepFolder::is_run(std::string_view name) const {
    std::size_t run = 0;
    const char* const end = name.data() + name.size();
    const std::errc failed = std::from_chars(name.data(), end, run).ec;
    // The name must be exactly that of a run: not 05.json, nor `5 copy.json`.
    return failed == std::errc() && run < runs_.size() && name == fmt::format("{}.json", run);
}

std::size_t SweepFolder::landed() const {
    std::error_code failed;
    std::size_t count = 0;
    for (fs::directory_iterator at(path_ / "runs", failed), end; !failed && at != end;
         at.increment(failed)) {
        if (is_run(at->path().filename().string())) ++count;
    }
    return count;
}

std::string SweepFolder::put(std::size_t run, const Outcome& outcome) const {
    return write_atomically(file_of(run), text_of_run(run, key_of(run), outcome));
}

std::string SweepFolder::put_why(std::size_t run, std::string_view why) const {
    return write_atomically(file_of(run).replace_extension(".why"), why);
}

std::string SweepFolder::why(std::size_t run) const {
    return read_file(file_of(run).replace_extension(".why"), longest_note).value_or("");
}

void SweepFolder::put_refusal(const std::string& path, std::string_view why) {
    write_atomically(fs::path(path) / refusal_file, why);
}

std::string SweepFolder::refusal() const {
    return read_file(path_ / refusal_file, longest_note).value_or("");
}

void SweepFolder::remove_refusal() const {
    std::error_code was_not_there;
    fs::remove(path_ / refusal_file, was_not_there);
}

tl::expected<std::size_t, std::string> SweepFolder::add_list(const Runs& runs,
                                                             std::size_t each) const {
    std::error_code failed;
    std::size_t number = 1;
    const auto file = [&] { return path_ / "lists" / fmt::format("{}.json", number); };
    while (fs::exists(file(), failed)) ++number;
    const Json list = {{"each", each}, {"runs", runs}};
    std::string why = write_atomically(file(), list.dump() + '\n');
    if (!why.empty()) return tl::unexpected(std::move(why));
    return number;
}

tl::expected<Runs, std::string> SweepFolder::part_of_list(std::size_t list,
                                                          std::size_t task) const {
    const fs::path file = path_ / "lists" / fmt::format("{}.json", list);
    const Json document = read_json(file, longest_plan);
    const auto runs = as<Runs>(document, "runs");
    const auto each = as<std::size_t>(document, "each");
    const bool right = runs && each && *each > 0 && *each <= most_combinations &&
                       task <= runs->size() / *each && task * *each < runs->size() &&
                       std::ranges::all_of(*runs, [&](std::size_t n) { return n < runs_.size(); });
    if (!right) {
        return tl::unexpected(fmt::format("{} has no task {}", file.string(), task));
    }
    const std::size_t first = task * *each;
    const std::size_t last = std::min(runs->size(), first + *each);
    return Runs(runs->begin() + static_cast<std::ptrdiff_t>(first),
                runs->begin() + static_cast<std::ptrdiff_t>(last));
}

std::optional<SweepFolder::Job> SweepFolder::job() const {
    const Json document = read_json(path_ / "job.json", longest_note);
    const auto on = as<std::string>(document, "on");
    const auto name = as<std::string>(document, "name");
    if (!on || !name) return std::nullopt;
    using Words = std::vector<std::string>;
    return Job{*on, *name, as<Words>(document, "options").value_or(Words())};
}

std::string SweepFolder::put_job(const Job& job) const {
    const Json document = {{"on", job.on}, {"name", job.name}, {"options", job.options}};
    return write_atomically(path_ / "job.json", document.dump() + '\n');
}

}  // namespace sluice::cli
