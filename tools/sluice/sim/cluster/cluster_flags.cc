#include "tools/sluice/sim/cluster/cluster_flags.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <sstream>
#include <vector>

namespace sluice::cli {

namespace {

constexpr std::size_t most_at_once = 1'000'000;

// Splits a text at blanks; a word cannot contain a blank.
std::vector<std::string> words_in(const std::string& text) {
    std::istringstream stream(text);
    std::vector<std::string> words;
    for (std::string word; stream >> word;) words.push_back(word);
    return words;
}

void needs(const std::string& value, const char* option, const char* why) {
    if (value.empty()) throw CLI::ValidationError(option, why);
}

void is_of(const std::string& value, bool right, const char* option, const char* whose) {
    if (value.empty() || right) return;
    throw CLI::ValidationError(option, std::string("is for --on ") + whose);
}

}  // namespace

ClusterFlags::ClusterFlags(CLI::App& command) {
    add_options(command);
    add_task(command);
}

void ClusterFlags::add_options(CLI::App& command) {
    command
        .add_option("--on", on_, "Who runs a sweep: local, slurm (sbatch) or kubernetes (kubectl)")
        ->check(CLI::IsMember(std::vector<std::string>{"local", "slurm", "kubernetes"}))
        ->capture_default_str()
        ->needs("--sweep");
    command
        .add_option("--folder", folder_,
                    "Where its runs leave their results; what is there is not run again. Others "
                    "than local must share it")
        ->type_name("PATH")
        ->needs("--sweep");
    command.add_option("--runs-a-task", runs_per_task_, "Else so many that a task takes some 20 s")
        ->type_name("N")
        ->check(CLI::Range(std::size_t{1}, most_at_once))
        ->needs("--folder");
    command.add_option("--attempts", attempts_, "Of a run that leaves no result")
        ->type_name("N")
        ->check(CLI::Range(std::size_t{1}, std::size_t{100}))
        ->capture_default_str()
        ->needs("--folder");
    command
        .add_option("--at-once", at_once_,
                    "At most this many tasks, or runs on this machine; default: as Slurm has room, "
                    "64 pods, or all cores")
        ->type_name("N")
        ->check(CLI::Range(std::size_t{1}, most_at_once));
    command
        .add_option("--slurm-options", slurm_options_,
                    "More words for sbatch, such as \"--partition=long --mem=2G\"")
        ->type_name("TEXT");
    command
        .add_option("--kubectl-options", kubectl_options_,
                    "More words for kubectl, such as \"--namespace=sim\"")
        ->type_name("TEXT");
    command.add_option("--image", image_, "Of a container with this program, for kubernetes")
        ->type_name("NAME");
    command
        .add_option("--claim", claim_,
                    "The volume claim whose top is the folder, or as NAME:PATH holds it there, for "
                    "kubernetes")
        ->type_name("NAME");
}

void ClusterFlags::add_task(CLI::App& command) {
    CLI::Option* work = command.add_option("--work", task_.folder, "Do a task of the sweep in DIR")
                            ->type_name("DIR")
                            ->excludes("FILE");
    command.add_option("--list", task_.list, "Of this list of its runs")
        ->type_name("N")
        ->needs(work);
    command.add_option("--task", task_.number, "Which of them")->type_name("N")->needs(work);
}

Task ClusterFlags::task() const {
    Task task = task_;
    task.at_once = std::max<std::size_t>(at_once_, 1);
    return task;
}

ClusterOptions ClusterFlags::options() const {
    const Backend backend = on_ == "slurm"        ? Backend::slurm
                            : on_ == "kubernetes" ? Backend::kubernetes
                                                  : Backend::local;
    is_of(slurm_options_, backend == Backend::slurm, "--slurm-options", "slurm");
    is_of(kubectl_options_, backend == Backend::kubernetes, "--kubectl-options", "kubernetes");
    is_of(image_, backend == Backend::kubernetes, "--image", "kubernetes");
    is_of(claim_, backend == Backend::kubernetes, "--claim", "kubernetes");
    if (backend == Backend::local && runs_per_task_ > 0) {
        throw CLI::ValidationError("--runs-a-task", "is for --on slurm or kubernetes");
    }
    if (backend != Backend::local) {
        needs(folder_, "--on",
              "needs a --folder that every node sees at the same path, or as "
              "--claim");
    }
    if (at_once_ > 0) needs(folder_, "--at-once", "needs --folder");
    if (backend == Backend::kubernetes) {
        needs(image_, "--image", "name the image of a container with this program");
        needs(claim_, "--claim", "name the volume claim that holds the folder");
    }
    const std::size_t colon = std::min(claim_.find(':'), claim_.size());
    return {
        .backend = backend,
        .folder = folder_,
        .runs_per_task = runs_per_task_,
        .attempts = attempts_,
        .at_once = at_once_,
        .submit_options = words_in(backend == Backend::slurm ? slurm_options_ : kubectl_options_),
        .image = image_,
        .claim = claim_.substr(0, colon),
        .claim_path = claim_.substr(std::min(colon + 1, claim_.size()))};
}

}  // namespace sluice::cli
