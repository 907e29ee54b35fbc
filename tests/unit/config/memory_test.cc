#include "config/memory.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "config/loader.h"

namespace sluice::config {
namespace {

namespace fs = std::filesystem;

constexpr int64_t mebibyte = 1024 * 1024;

// A machine, as files below a folder describe it.
class MemoryTest : public testing::Test {
  protected:
    void SetUp() override {
        std::string name = testing::TempDir() + "memory-XXXXXX";
        ASSERT_NE(::mkdtemp(name.data()), nullptr);
        root = name;
        write("/proc/meminfo", "MemTotal: 9999999 kB\nMemAvailable:    2097152 kB\n");
    }
    void TearDown() override { fs::remove_all(root); }

    void write(const std::string& path, const std::string& text) const {
        fs::create_directories(fs::path(root + path).parent_path());
        std::ofstream(root + path) << text;
    }
    void give_huge_pages(int free) const {
        const std::string folder = "/sys/kernel/mm/hugepages/hugepages-2048kB/";
        write(folder + "free_hugepages", fmt::format("{}\n", free));
    }
    // Empty: it is fine.
    [[nodiscard]] std::string fault_of(const std::string& buffer) const {
        const auto configuration = load_text(
            "ports: [{device: 'null:'}, {device: 'null:'}]\nbuffer: " + buffer + "\n", "x.yaml");
        const auto fault = memory_fault(*configuration, root);
        return fault ? to_string(*fault) : "";
    }

    std::string root;
};

TEST_F(MemoryTest, what_is_too_much_is_refused_with_key_and_remedy) {
    EXPECT_EQ(fault_of("{size: 16MiB}"), "");
    const std::string fault = fault_of("{size: 1GiB}");
    EXPECT_EQ(fault.find("x.yaml:2:16: buffer.size: "), 0U) << fault;
    EXPECT_NE(fault.find("and 2.0 GiB of other memory; lower buffer.size or mtu, raise "
                         "buffer.cell, or give the machine more memory"),
              std::string::npos)
        << fault;
}

TEST_F(MemoryTest, free_huge_pages_are_memory) {
    give_huge_pages(8192);
    EXPECT_EQ(memory_free(root)->huge, 8192 * 2 * mebibyte);
    EXPECT_EQ(fault_of("{size: 1GiB}"), "");
}

TEST_F(MemoryTest, control_groups_bound_it_the_narrowest_of_all) {
    write("/proc/self/cgroup", "0::/system.slice/sluice.service\n");
    EXPECT_EQ(memory_free(root)->allowed, INT64_MAX);
    const std::string group = "/sys/fs/cgroup/system.slice/";
    write(group + "sluice.service/memory.max", "max\n");
    write(group + "sluice.service/memory.current", "1\n");
    write(group + "memory.max", fmt::format("{}\n", 200 * mebibyte));
    write(group + "memory.current", fmt::format("{}\n", 150 * mebibyte));
    EXPECT_EQ(memory_free(root)->allowed, 50 * mebibyte);
    // The kernel reclaims caches first, also those in use.
    write(group + "memory.stat",
          fmt::format("anon 1\ninactive_file {}\nactive_file {}\nslab_reclaimable {}\n",
                      4 * mebibyte, 5 * mebibyte, mebibyte));
    EXPECT_EQ(memory_free(root)->allowed, 60 * mebibyte);
    EXPECT_NE(fault_of("{size: 16MiB}").find("0.1 GiB by control groups"), std::string::npos);
    // Huge pages are not of the group.
    give_huge_pages(256);
    EXPECT_EQ(fault_of("{size: 16MiB}"), "");
}

TEST_F(MemoryTest, control_groups_of_version_1_bound_it_too) {
    write("/proc/self/cgroup", "9:cpu,cpuacct:/\n4:memory:/docker/ab\n0::/\n");
    EXPECT_EQ(memory_free(root)->allowed, INT64_MAX);
    const std::string top = "/sys/fs/cgroup/memory/";
    write(top + "memory.limit_in_bytes", "9223372036854771712\n");
    write(top + "memory.usage_in_bytes", "1\n");
    EXPECT_EQ(memory_free(root)->allowed, INT64_MAX);
    // A container sees its own group at the top, whatever its path is outside.
    write(top + "memory.limit_in_bytes", fmt::format("{}\n", 200 * mebibyte));
    write(top + "memory.usage_in_bytes", fmt::format("{}\n", 150 * mebibyte));
    EXPECT_EQ(memory_free(root)->allowed, 50 * mebibyte);
    write(top + "docker/ab/memory.limit_in_bytes", fmt::format("{}\n", 100 * mebibyte));
    write(top + "docker/ab/memory.usage_in_bytes", fmt::format("{}\n", 90 * mebibyte));
    write(top + "docker/ab/memory.stat",
          fmt::format("inactive_file 1\ntotal_inactive_file {}\ntotal_active_file {}\n",
                      4 * mebibyte, 5 * mebibyte));
    EXPECT_EQ(memory_free(root)->allowed, 19 * mebibyte);
    EXPECT_NE(fault_of("{size: 16MiB}").find("by control groups"), std::string::npos);
}

TEST_F(MemoryTest, where_the_kernel_says_nothing_nothing_is_refused) {
    fs::remove(root + "/proc/meminfo");
    EXPECT_FALSE(memory_free(root));
    EXPECT_EQ(fault_of("{size: 1GiB}"), "");
}

}  // namespace
}  // namespace sluice::config
