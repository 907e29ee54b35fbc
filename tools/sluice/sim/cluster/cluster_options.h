// ClusterOptions: where and how a sweep runs outside of this process, as the command line says.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace sluice::cli {

enum class Backend : uint8_t { local, slurm, kubernetes };

struct ClusterOptions {
    Backend backend = Backend::local;
    std::string folder;             // empty: this process runs it
    std::size_t runs_per_task = 0;  // 0: by how long they take
    std::size_t attempts = 3;       // of a run that leaves no result
    std::size_t at_once = 0;  // tasks, or runs on this machine; 0: as many as there is room for
    std::vector<std::string> submit_options{};  // more words for sbatch or kubectl
    std::string image{};                        // of a container with `sluice`
    std::string claim{};                        // of the volume that holds the folder
    std::string claim_path{};                   // of the folder in that volume; empty: its top
};

}  // namespace sluice::cli
