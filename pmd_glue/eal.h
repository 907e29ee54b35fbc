// Eal: starts DPDK's environment once in a process, and stops it when the object is destroyed.
//
// The calling thread becomes lcore 0 and floats over the CPUs that the process may use; worker n
// runs on lcore n + 1, pinned to the CPU given for it. CPUs may repeat, so one CPU is enough. No
// files are shared with other DPDK processes, so a capture tool cannot attach.
// Memory: 2 MB pages if available (huge_pages.h), else `--no-huge`, which does not support NUMA
// nodes. The user's arguments after `--` are last; if they choose memory, this class does not.
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
    std::vector<unsigned> worker_cpus;  // one for each worker
    Bytes memory{256 * 1024 * 1024};    // memory for buffers and rings, on each of `nodes`
    std::vector<unsigned> nodes;        // NUMA nodes; if empty, those of the lcores
    std::vector<Device> devices;        // devices that ports will use
    std::vector<std::string> extra;     // EAL arguments of the user
};

class Eal {
  public:
    static tl::expected<Eal, Error> start(const EalOptions& options);
    Eal(Eal&&) noexcept;
    ~Eal();  // calls close()

    // Runs `function(argument)` on the worker's lcore, which must be idle.
    void launch(std::size_t worker, int (*function)(void*), void* argument);
    // Waits until the worker's function returns; spins on the caller's core.
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
    // Lets `close` leave DPDK's devices as they are. Used after a device was pulled out.
    static void leave_devices();
    // Called by a program that ends without `close`. Removes the files that would outlive the
    // process. Huge pages that were reserved for the process are given back when it ends.
    void abandon();
    // Whether memory was allocated by NUMA node: there are several nodes, huge pages, and no choice
    // of memory by the user.
    [[nodiscard]] bool memory_by_node() const;
    // Notices for the operator, one a line.
    [[nodiscard]] const std::vector<std::string>& notices() const;

  private:
    struct State;
    explicit Eal(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

// Returns name and version of the DPDK that is linked, such as `DPDK 22.11.11`.
std::string_view dpdk_version();

// Returns the CPUs that this process may run on, in order. By default workers use them in turn.
std::vector<unsigned> usable_cpus();
// Whether these EAL arguments choose the memory; then `start` does not.
bool choose_memory(const std::vector<std::string>& arguments);

}  // namespace sluice::pmd
