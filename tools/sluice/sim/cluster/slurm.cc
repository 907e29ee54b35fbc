#include "tools/sluice/sim/cluster/slurm.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "tools/sluice/sim/cluster/atomic_file.h"
#include "tools/sluice/sim/cluster/digest.h"
#include "tools/sluice/sim/cluster/program.h"

namespace sluice::cli {

namespace {

constexpr std::string_view script =
    "#!/bin/sh\n"
    "# A task of the array: PROGRAM FOLDER LIST.\n"
    "exec \"$1\" sim run --work \"$2\" --list \"$3\" --task \"$SLURM_ARRAY_TASK_ID\" \\\n"
    "  --at-once \"${SLURM_CPUS_ON_NODE:-1}\"\n";

// Slurm names a job `123`, or `123;cluster`.
std::string number_of(const std::string& job) { return job.substr(0, job.find(';')); }
std::string cluster_of(const std::string& job) {
    const std::size_t at = job.find(';');
    return at == std::string::npos ? std::string() : job.substr(at + 1);
}

constexpr std::string_view digits = "0123456789";
constexpr std::string_view of_a_cluster =
    "0123456789_-abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

// Returns the name of the jobs of this folder. The name is the same for any path to the folder.
std::string job_name(const SweepFolder& folder) {
    std::error_code failed;
    const auto path = std::filesystem::canonical(folder.path(), failed);
    return "sluice-sim-" + Digest().add((failed ? folder.path() : path).string()).text();
}

bool has_line(const std::string& text, const std::string& wanted) {
    return ('\n' + text + '\n').find('\n' + wanted + '\n') != std::string::npos;
}

}  // namespace

tl::expected<std::string, std::string> Slurm::submit(std::size_t list, std::size_t tasks) {
    std::error_code failed;
    const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", failed);
    if (failed) return tl::unexpected("its own program has no path: " + failed.message());
    const std::string folder = folder_.path().string();
    const std::string file = folder + "/task.sh";
    if (std::string why = write_atomically(file, script); !why.empty()) {
        return tl::unexpected(std::move(why));
    }
    std::string array = fmt::format("--array=0-{}", tasks - 1);
    if (options_.at_once > 0) array += fmt::format("%{}", options_.at_once);
    std::vector<std::string> words = {
        "sbatch", "--parsable", "--no-requeue", "--chdir=" + folder, "--output=log/%A_%a.txt",
        array};
    words.insert(words.end(), options_.submit_options.begin(), options_.submit_options.end());
    words.push_back("--job-name=" + job_name(folder_));
    for (const std::string& word : {file, program.string(), folder, fmt::format("{}", list)}) {
        words.push_back(word);
    }
    auto said = output_of(words);
    if (!said) return said;
    const std::string job = said->substr(0, said->find('\n'));
    if (is_job(job)) return job;
    return tl::unexpected(std::string("sbatch printed no job id"));
}

bool Slurm::is_job(std::string_view name) const {
    const std::size_t at = std::min(name.find(';'), name.size());
    const std::string_view number = name.substr(0, at);
    if (number.empty() || number.find_first_not_of(digits) != number.npos) return false;
    const std::string_view cluster = name.substr(at);
    return cluster.empty() ||
           (cluster.size() > 1 && cluster.substr(1).find_first_not_of(of_a_cluster) == name.npos);
}

tl::expected<bool, std::string> Slurm::is_running(const std::string& job) {
    std::vector<std::string> words = {"squeue", "--noheader", "--me", "--format=%F %j"};
    if (const std::string cluster = cluster_of(job); !cluster.empty()) {
        words.push_back("--clusters=" + cluster);
    }
    // Removes the variables SQUEUE_...: they may restrict the list, for example to one partition.
    const auto said = output_of(words, longest_answer, "SQUEUE_");
    if (!said) return tl::unexpected(said.error());
    return has_line(*said, number_of(job) + ' ' + job_name(folder_));
}

std::string Slurm::cancel_command(const std::string& job) const {
    const std::string cluster = cluster_of(job);
    return fmt::format("scancel {}{}", cluster.empty() ? "" : "--clusters=" + cluster + " ",
                       number_of(job));
}

}  // namespace sluice::cli
