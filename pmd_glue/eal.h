// Eal: DPDK's environment, started once a process and stopped when this is destroyed.
//
// The calling thread becomes lcore 0 and floats over the CPUs that the process may use; worker n
// runs on lcore n + 1, pinned to the CPU given for it. CPUs may repeat, so one is enough for
// everything. No files are shared with other DPDK processes: a capture tool cannot attach.
// Memory: 2 MB pages if available (huge_pages.h), else `--no-huge`, which does not support NUMA
// nodes. The user's arguments after `--` come last; if they choose memory, nothing is chosen here.
// Not done here: opening ports. PCI devices are probed at start, because EAL can only do it then.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "dataplane/types/units.h"
#include "pmd_glue/device.h"
#include "pmd_glue/error.h"

namespace sluice::pmd {

struct EalOptions {
    std::vector<unsigned> worker_cpus;  // one a worker
    Bytes memory{256 * 1024 * 1024};    // that buffers and rings will need, on each of `nodes`
    std::vector<unsigned> nodes;        // of NUMA; none: those of its lcores
    std::vector<Device> devices;        // that ports will use
    std::vector<std::string> extra;     // EAL arguments of the user
};

class Eal {
  public:
    static tl::expected<Eal, Error> start(const EalOptions& options);
    Eal(Eal&&) noexcept;
    ~Eal();  // closes

    // Runs `function(argument)` on the worker's lcore. It must be idle.
    void launch(std::size_t worker, int (*function)(void*), void* argument);
    // Until the worker's function returns; keeps the caller's core busy meanwhile.
    void wait(std::size_t worker);
    // Whether the worker has not returned yet.
    [[nodiscard]] bool runs(std::size_t worker) const;
    // Runs the function once on each thread of EAL: all lcores except the caller's, which are idle,
    // and the thread for interrupts and alarms. That thread is left out if it does not respond in
    // ten seconds.
    void on_own_threads(const std::function<void()>& function);

    [[nodiscard]] bool huge_pages() const;
    // Call after every worker returned, every Port is destroyed, and every Pool is destroyed or
    // kept. DPDK may hang in this call.
    void close();
    // From now on `close` leaves DPDK's devices as they are, for one that was pulled out.
    static void leave_devices();
    // For a program that ends without `close`: removes what would outlive the process. Huge pages
    // that were reserved for the process are given back when it ends.
    void abandon();
    // Whether memory was allocated by NUMA node: there are several nodes, huge pages, and no choice
    // of memory by the user.
    [[nodiscard]] bool memory_by_node() const;
    // Notices for the operator, a line each.
    [[nodiscard]] const std::vector<std::string>& notices() const;

  private:
    struct State;
    explicit Eal(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

// Name and version of the DPDK that is linked, such as `DPDK 22.11.11`.
std::string_view dpdk_version();

// CPUs that this process may run on, in order. Workers are given these in turn by default.
std::vector<unsigned> usable_cpus();
// Whether these arguments for EAL choose its memory, which is then not chosen here.
bool choose_memory(const std::vector<std::string>& arguments);

}  // namespace sluice::pmd
