#include "pmd_glue/driver_log.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

namespace sluice::pmd {
namespace {

TEST(DriverLog, KnownFailuresNameTheCommand) {
    EXPECT_NE(remedy_for("xsk_configure(): Failed to create xsk socket.\n", "").find("ss --xdp"),
              std::string::npos);
    EXPECT_NE(remedy_for("xdp_umem_configure(): Failed to create umem\n", "").find("ulimit -l"),
              std::string::npos);
    EXPECT_NE(remedy_for("Specified queue count 4 is larger than combined queue count 1.", "eth3")
                  .find("ethtool -L eth3 combined"),
              std::string::npos);
    EXPECT_NE(remedy_for("libbpf: Couldn't load trivial BPF program.", "").find("CAP_BPF"),
              std::string::npos);
    EXPECT_NE(remedy_for("EAL: Cannot get hugepage information.", "").find("nr_hugepages"),
              std::string::npos);
}

// Limits a resource, and restores the old limit at the end.
class Limited {
  public:
    Limited(__rlimit_resource resource, rlim_t most) : resource_(resource) {
        ::getrlimit(resource, &before_);
        const rlimit now{.rlim_cur = most, .rlim_max = before_.rlim_max};
        EXPECT_EQ(::setrlimit(resource, &now), 0);
    }
    ~Limited() { ::setrlimit(resource_, &before_); }
    Limited(const Limited&) = delete;
    Limited& operator=(const Limited&) = delete;

  private:
    __rlimit_resource resource_;
    rlimit before_{};
};

TEST(DriverLog, ALimitOfTheProcessIsNamedBeforeHugePages) {
    constexpr rlim_t far_off = rlim_t{1} << 46;
    const char* const said = "EAL: Cannot get a virtual area: Cannot allocate memory\n";
    {
        const Limited addresses(RLIMIT_AS, far_off);
        const std::string remedy = remedy_for(said, "");
        EXPECT_EQ(remedy,
                  "a limit of 67108864 MiB is set for addresses of this process (RLIMIT_AS): lift "
                  "it with `ulimit -v unlimited` (LimitAS=infinity in a systemd unit)");
        EXPECT_EQ(remedy_for("EAL: Not enough memory available!\n", ""), remedy);
        EXPECT_NE(remedy_for("EAL: Cannot get hugepage information.", "").find("nr_hugepages"),
                  std::string::npos);
    }
    const Limited data(RLIMIT_DATA, far_off);
    EXPECT_NE(remedy_for(said, "").find("`ulimit -d unlimited`"), std::string::npos);
}

TEST(DriverLog, WhatIsNotKnownHasNoRemedy) {
    EXPECT_EQ(remedy_for("EAL: Detected CPU lcores: 2\n", "eth3"), "");
}

std::string reason_of(const char* said) {
    take_driver_log();
    {
        const StandardStreamsCaptured captured;
        std::fputs(said, stderr);
    }
    return explain("EAL", "DPDK could not start", "").remedy;
}

TEST(DriverLog, WhatEalGoesOnWithoutIsAReasonOnlyIfThereIsNoOther) {
    const std::string passing = "EAL: 64 hugepages reserved, but no mounted hugetlbfs found\n";
    EXPECT_NE(reason_of(passing.c_str()).find("mount -t hugetlbfs"), std::string::npos);
    EXPECT_EQ(reason_of((passing + "EAL: Cannot init memory\n").c_str()),
              "the driver reports: EAL: Cannot init memory");
}

TEST(DriverLog, StandardErrorIsCapturedAndGivenBack) {
    take_driver_log();
    {
        const StandardStreamsCaptured captured;
        std::fprintf(stderr, "said in passing\n");
    }
    EXPECT_EQ(take_driver_log(), "said in passing\n");
    EXPECT_EQ(take_driver_log(), "");
}

TEST(DriverLogDeathTest, WhatWasLoggedBeforeAPanicIsReported) {
    const auto panic = [] {
        {
            const StandardStreamsCaptured captured;
            std::fprintf(stderr, "no memory on that node\n");
        }
        const StandardStreamsCaptured captured;
        std::abort();
    };
    EXPECT_DEATH(panic(), "no memory on that node");
}

}  // namespace
}  // namespace sluice::pmd
