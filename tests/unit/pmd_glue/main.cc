// Starts EAL once for all tests: on ordinary memory, or with --huge-pages on what can be had.
#include <gtest/gtest.h>
#include <cstdio>

#include "pmd_glue/eal.h"
#include "tests/unit/pmd_glue/environment.h"

namespace sluice::pmd {
namespace {
Eal* started = nullptr;
}

Eal& eal() { return *started; }

std::unique_ptr<Pool> make_pool(BufferLayout layout, std::size_t buffers) {
    auto pool = Pool::create({.buffers = buffers, .max_frame = Bytes(1522), .layout = layout});
    if (!pool) ADD_FAILURE() << pool.error().text();
    return pool ? std::move(*pool) : nullptr;
}

namespace {
tl::expected<std::unique_ptr<Port>, Error> try_open(const std::string& text, Pool& pool,
                                                    bool promiscuous = true) {
    const auto device = parse_device(text);
    if (!device) return tl::unexpected(device.error());
    return Port::open({.name = "test",
                       .device = *device,
                       .promiscuous = promiscuous,
                       .address = std::nullopt,
                       .rx_descriptors = 128,
                       .tx_descriptors = 128},
                      pool);
}
}  // namespace

std::unique_ptr<Port> open_port(const std::string& device, Pool& pool, bool promiscuous) {
    auto port = try_open(device, pool, promiscuous);
    if (!port) ADD_FAILURE() << port.error().text();
    return port ? std::move(*port) : nullptr;
}

Error open_error(const std::string& device, Pool& pool) {
    const auto port = try_open(device, pool);
    if (port) ADD_FAILURE() << device << " can be opened";
    return port ? Error{} : port.error();
}

std::vector<Frame> make_frames(Pool& pool, std::size_t count, uint8_t first) {
    std::vector<Frame> frames(count);
    EXPECT_TRUE(pool.allocate(frames, 60));
    for (Frame& frame : frames) frame.data[0] = first++;
    return frames;
}

std::vector<int> receive_all(Port& port, Pool& pool) {
    std::vector<int> seen;
    std::array<Frame, max_burst> burst;
    for (std::size_t got; (got = port.bursts().receive(burst)) > 0;) {
        for (std::size_t i = 0; i < got; ++i) seen.push_back(burst[i].data[0]);
        free_frames(pool, std::span(burst).first(got));
    }
    return seen;
}

void free_frames(Pool& pool, std::span<const Frame> frames) {
    std::vector<void*> handles;
    for (const Frame& frame : frames) handles.push_back(frame.handle);
    pool.free(handles);
}

}  // namespace sluice::pmd

int main(int count, char** words) {
    testing::InitGoogleTest(&count, words);
    sluice::pmd::EalOptions options;
    const auto cpus = sluice::pmd::usable_cpus();
    options.worker_cpus = {cpus.front(), cpus.back()};
    const bool huge_pages = count > 1 && std::string_view(words[1]) == "--huge-pages";
    if (!huge_pages) options.extra = {"--no-huge", "--no-shconf", "-m", "256"};
    auto eal = sluice::pmd::Eal::start(options);
    if (!eal) {
        std::fprintf(stderr, "%s\n", eal.error().text().c_str());
        return 1;
    }
    for (const std::string& notice : eal->notices()) std::printf("%s\n", notice.c_str());
    sluice::pmd::started = &*eal;
    return RUN_ALL_TESTS();
}
