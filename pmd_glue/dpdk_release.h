// DPDK release: all differences between the supported releases of DPDK, and nothing else: 22.11
// (Debian 12), 24.11 (Debian 13), 25.11 (Debian testing).
//
// APIs whose names differ between releases have one name here. `running_release()` shows whether
// the release has a feature that an older one lacks: the libraries may be newer than the headers,
// since all releases of one ABI (of one year) are interchangeable.
// Not done here: differences between releases of fmt, libpcap and the compilers; code that all of
// them accept is used.
#pragma once

#include <rte_log.h>
#include <rte_os.h>
#include <rte_telemetry.h>
#include <rte_version.h>
#include <cstdint>
#include <cstdio>

#include "pmd_glue/release.h"

// The declarations are those of lib/telemetry/telemetry_internal.h, which EAL uses. DPDK keeps the
// pointers. From 23.11 on the function has no parameter for a log.
#if RTE_VERSION >= RTE_VERSION_NUM(23, 11, 0, 0)
extern "C" int rte_telemetry_init(const char* runtime_dir, const char* rte_version,
                                  rte_cpuset_t* cpuset);
#else
using TelemetryLog = int (*)(uint32_t level, uint32_t logtype, const char* format, ...);
extern "C" int rte_telemetry_init(const char* runtime_dir, const char* rte_version,
                                  rte_cpuset_t* cpuset, TelemetryLog log, uint32_t logtype);
#endif

namespace sluice::pmd {

// Release of the headers that this program is built with.
inline constexpr Release built_with{.year = RTE_VER_YEAR, .month = RTE_VER_MONTH};
// Returns the release of the libraries that run.
inline Release running_release() {
    Release release;
    std::sscanf(::rte_version(), "DPDK %u.%u", &release.year, &release.month);
    return release;
}

// Opens the socket of DPDK's telemetry. Returns 0 on success.
inline int open_telemetry(const char* runtime_folder, rte_cpuset_t& cpus) {
#if RTE_VERSION >= RTE_VERSION_NUM(23, 11, 0, 0)
    return rte_telemetry_init(runtime_folder, ::rte_version(), &cpus);
#else
    return rte_telemetry_init(runtime_folder, ::rte_version(), &cpus, rte_log, RTE_LOGTYPE_EAL);
#endif
}

// Adds a number to a table of telemetry. Returns 0 if it fits.
inline int add_number(rte_tel_data* table, const char* name, uint64_t value) {
#if RTE_VERSION >= RTE_VERSION_NUM(23, 3, 0, 0)
    return rte_tel_data_add_dict_uint(table, name, value);
#else
    return rte_tel_data_add_dict_u64(table, name, value);
#endif
}

}  // namespace sluice::pmd
