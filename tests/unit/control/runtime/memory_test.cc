// What is reckoned of a configuration alone (config/memory.h) is what the runtime takes.
#include "config/memory.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "config/loader.h"
#include "control/runtime/runtime.h"
#include "dataplane/retry/resequence_buffer.h"
#include "pmd_glue/pool.h"

namespace sluice::control {
namespace {

struct Taken {
    double buffers;
    double octets;
};
Taken taken_by(const config::Configuration& configuration) {
    std::vector<pmd::PortRequest> requests;
    std::vector<pmd::Device> devices;
    pmd::PoolRequest pool;
    for (const config::PortConfig& about : configuration.ports) {
        const PfcBy by = configuration.settings.ports[requests.size()].pfc.by;
        pmd::PortRequest& request = requests.emplace_back();
        request.device = *pmd::parse_device(about.device);
        request.mtu = static_cast<uint16_t>(about.mtu.count());
        request.queues.by_nic = by == PfcBy::queues;
        if (about.tunnel) request.tunnel.emplace();
        if (about.underlay) request.underlay = about.underlay->addresses();
        if (about.rx_descriptors != 0) request.rx_descriptors = about.rx_descriptors;
        if (about.tx_descriptors != 0) request.tx_descriptors = about.tx_descriptors;
        request.kept = frames_behind_gaps(configuration.settings.ports[requests.size() - 1].retry);
        devices.push_back(request.device);
        pool.max_frame = std::max(pool.max_frame, pmd::frame_for_mtu(request.mtu));
    }
    pool.buffers = frame_buffers(configuration, requests, {});
    pool.layout = pmd::layout_for(devices);
    return {static_cast<double>(pool.buffers),
            static_cast<double>(pmd::Pool::memory_for(pool).count())};
}

TEST(Memory, is_reckoned_as_it_is_taken) {
    for (const char* const text : {
             "ports: [{device: 'ring:a'}, {device: 'ring:b,queues=4'}]",
             "ports: [{device: 'af_packet:a'}, {device: 'memif:/a.sock'}]\nbuffer: {size: 1GiB}",
             "ports: [{device: 'af_xdp:a', rx_descriptors: 4096}, {device: 'af_xdp:b,queues=2'}]",
             "ports: [{device: 'pci:0000:03:00.0', tx_descriptors: 2048}, {device: 'null:'}]\n"
             "hotplug: {ports: 8}",
             "ports: [{device: 'pci:0000:03:00.0', lossless: [3], pfc: {by: nic}},\n"
             "        {device: 'pci:0000:03:00.1', lossless: [3], pfc: {by: nic}}]",
             "ports: [{device: 'af_packet:a'}, {device: 'memif:/a.sock'}]\nhotplug: {ports: 16}",
             "ports: [{device: 'memif:/a.sock', lossless: [3],\n"
             "         retry: {enabled: true, resequence: 8MiB}}]\nhotplug: {ports: 4}",
             "ports: [{device: 'tap:a'}, {device: 'tap:b'}, {device: 'tap:c'}, {device: 'tap:d'},\n"
             "        {device: 'tap:e'}, {device: 'tap:f'}]",
             "defaults: {mtu: 9000B}\nports: [{device: 'tap:a'}, {device: 'vhost:/v'}]\n"
             "buffer: {size: 256MiB, cell: 512}",
             "ports: [{device: 'ring:a', worker: 0}, {device: 'ring:b', worker: 1}]\n"
             "workers: {count: 2}",
         }) {
        SCOPED_TRACE(text);
        const auto configuration = config::load_text(text, "test");
        if (!configuration) {
            ADD_FAILURE() << lines_of(configuration.error())[0];
            continue;
        }
        const config::MemoryNeeded needed = config::memory_needed(*configuration);
        const Taken taken = taken_by(*configuration);
        EXPECT_NEAR(static_cast<double>(needed.buffers), taken.buffers, taken.buffers / 10);
        EXPECT_NEAR(static_cast<double>(needed.octets), taken.octets, taken.octets / 10);
    }
}

}  // namespace
}  // namespace sluice::control
