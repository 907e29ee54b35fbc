// ClusterOptions: the options of the command line for a sweep that runs outside of this process.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace sluice::cli {

enum class Backend : uint8_t { local, slurm, kubernetes };

struct ClusterOptions {
    Backend backend = Backend::local;
    std::string folder;             // shared folder; empty: this process runs the sweep
    std::size_t runs_per_task = 0;  // 0: computed from the time of a run
    std::size_t attempts = 3;       // limit of attempts of a run without a result
    std::size_t at_once = 0;  // concurrent tasks, or runs on this machine; 0: as many as possible
    std::vector<std::string> submit_options{};  // further arguments for sbatch or kubectl
    std::string image{};                        // container image with `sluice`
    std::string claim{};                        // claim of the volume that has the folder
    std::string claim_path{};                   // path of the folder in that volume; empty: its top
};

}  // namespace sluice::cli
