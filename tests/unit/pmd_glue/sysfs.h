// Sysfs: a folder that says of NUMA nodes what the kernel would, while it lasts.
#pragma once

#include <stdlib.h>
#include <filesystem>
#include <fstream>
#include <string>

namespace sluice::pmd {

class Sysfs {
  public:
    // `with_memory` is a list as the kernel writes it: `0-1,3`.
    explicit Sysfs(const std::string& with_memory) {
        std::string form = std::filesystem::temp_directory_path() / "sysfs-XXXXXX";
        root_ = ::mkdtemp(form.data());
        write("devices/system/node/has_memory", with_memory);
    }
    ~Sysfs() { std::filesystem::remove_all(root_); }
    Sysfs(const Sysfs&) = delete;
    Sysfs& operator=(const Sysfs&) = delete;

    void add_cpu(unsigned cpu, unsigned node) {
        create("devices/system/cpu/cpu" + std::to_string(cpu) + name(node));
    }
    // `node` -1: the kernel knows of none.
    void add_nic(const std::string& address, int node) {
        write("bus/pci/devices/" + address + "/numa_node", std::to_string(node));
    }
    void add_interface(const std::string& interface, int node) {
        write("class/net/" + interface + "/device/numa_node", std::to_string(node));
    }

    [[nodiscard]] const std::filesystem::path& root() const { return root_; }

  private:
    static std::string name(unsigned node) { return "/node" + std::to_string(node); }
    void create(const std::string& folder) { std::filesystem::create_directories(root_ / folder); }
    void write(const std::string& file, const std::string& text) {
        create(std::filesystem::path(file).parent_path());
        std::ofstream(root_ / file) << text << '\n';
    }

    std::filesystem::path root_;
};

}  // namespace sluice::pmd
