// Eal: DPDK's environment, started once a process and stopped when this is destroyed.
//
// The calling thread becomes lcore 0 and floats over the CPUs that the process may use; worker n
// runs on lcore n + 1, pinned to the CPU given for it. CPUs may repeat, so one is enough for
// everything. No files are shared with other DPDK processes: a capture tool cannot attach.
// Memory: 2 MB pages where they can be had (huge_pages.h), else `--no-huge`, which knows no nodes.
// What the user writes after `--` comes last; if it chooses memory, nothing is chosen here.
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
    // Whether it has not returned yet.
    [[nodiscard]] bool runs(std::size_t worker) const;
    // Once on each thread that is EAL's: all lcores but the caller's, which are idle, and the one
    // that serves interrupts and alarms; that one is waited for ten seconds, and then left out.
    void on_own_threads(const std::function<void()>& function);

    [[nodiscard]] bool huge_pages() const;
    // Every worker must have returned, every Port be gone, and every Pool be gone or kept. DPDK may
    // hang in there.
    void close();
    // From now on `close` leaves DPDK's devices as they are, for one that was pulled out.
    static void leave_devices();
    // For who ends without closing it: removes what would outlive the process. Huge pages that were
    // reserved for it go when the process does.
    void abandon();
    // Whether it was given memory on NUMA nodes: there are several, and huge pages, and the user
    // has not chosen memory.
    [[nodiscard]] bool memory_by_node() const;
    // What an operator should know, a line each.
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
// Whether these arguments of EAL's say which memory it takes, which is not chosen here then.
bool choose_memory(const std::vector<std::string>& arguments);

}  // namespace sluice::pmd
