// Program: loads and attaches the XDP program of one interface (program.bpf.c), passes it the
// driver's sockets (sockets.h) and the interface's addresses, and reads its counters.
//
// A link holds the program, and is removed when the process ends for any reason; then the kernel's
// stack receives the interface's frames again. When the driver is closed it detaches programs, but
// not a program that a link holds. So the driver is closed first. `attach` makes all calls of
// bpf(2): counters and addresses are in memory shared with the program (BPF_F_MMAPABLE), so a
// thread without privileges (privileges.h) can use and close the program. New addresses are written
// to a copy that the program does not use, and then the program is switched to the copy; the
// program handles a frame in much less time than passes between two changes.
// Bound: 64 queues. README.md has the cost of a frame.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "pmd_glue/error.h"
#include "pmd_glue/xdp/addresses.h"
#include "pmd_glue/xdp/host_share.h"
#include "pmd_glue/xdp/layout.h"
#include "pmd_glue/xdp/sockets.h"

namespace sluice::pmd::xdp {

// Frames that reached the interface since the program was attached.
struct Counts {
    uint64_t to_switch = 0;
    uint64_t to_host = 0;
    std::array<uint64_t, xdp_priorities> priority{};  // frames with a tag, by its PCP
    uint64_t untagged = 0;
    // 802.3x pauses; to_switch or to_host counts both kinds of pause as well.
    uint64_t link_pause = 0;
    uint64_t pfc_pause = 0;
    uint64_t without_tag = 0;  // dropped: no room to insert the separate tag
};

struct Report {
    bool native = false;  // the program runs in the driver, before the kernel allocates a buffer
    bool zero_copy = false;
    bool reads_tags = false;  // the program also reads tags that the kernel passes separately
    Counts counts;
    SocketStatistics sockets;
};

class Program {
  public:
    // Call it after the driver has created its sockets. `key`: the operator's name of the
    // interface, for the error.
    static tl::expected<std::unique_ptr<Program>, Error> attach(const std::string& key,
                                                                const std::string& interface,
                                                                const HostShare& host);
    ~Program();
    Program(const Program&) = delete;
    Program& operator=(const Program&) = delete;

    [[nodiscard]] Report report() const;
    // If the host keeps the interface's addresses: passes its present addresses to the program. If
    // reading them fails, the program keeps the previous ones and the next call tries again.
    void follow_addresses();
    // If the number of addresses that do not fit into the program has grown since the last call:
    // returns the number. Otherwise returns 0.
    [[nodiscard]] std::size_t take_left_out();
    [[nodiscard]] const std::vector<std::string>& notices() const { return notices_; }
    [[nodiscard]] const std::vector<Socket>& sockets() const { return sockets_; }

  private:
    struct Kernel;  // libbpf's objects

    Program(std::string interface, const HostShare& host);
    template <class Skeleton>
    std::optional<Error> load(const std::string& key, const HostShare& host);
    std::optional<Error> take_frames(const std::string& key);
    std::optional<Error> put_in_place(const std::string& key, const HostShare& host);
    void look_at_mode();
    void write_addresses(const FoundAddresses& found);
    [[nodiscard]] Counts counts() const;

    const std::string interface_;
    const std::vector<Socket> sockets_;
    std::unique_ptr<AddressChanges> changes_;  // null if the host keeps no addresses
    std::unique_ptr<Kernel> kernel_;
    bool asks_again_ = false;  // reading the addresses failed, so the next call reads them again
    std::size_t left_out_ = 0;
    std::size_t reported_left_out_ = 0;
    bool native_ = false;
    bool zero_copy_ = false;
    bool reads_tags_ = false;
    std::vector<std::string> notices_;
};

}  // namespace sluice::pmd::xdp
