// Whatever is written as a device, it is refused with what is wrong and what would be right, or it
// is understood: then its driver's arguments name that interface, file or socket and nothing else.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "pmd_glue/device.h"
#include "tests/fuzz/promises.h"

namespace {

using namespace sluice;
using namespace sluice::pmd;
using test::must;

void check(const Device& device, std::string_view text) {
    must(device.text == text, "it is kept as it was written");
    must(device.queues() >= 1 && device.queues() <= 16, "1 to 16 queues");
    const DeviceTraits& traits = device.traits();
    if (traits.opener != Opener::vdev) return;
    if (traits.may_be_nic()) return;  // in DPDK's own words
    const DriverArguments driver = driver_arguments(device);
    must(!driver.driver.empty(), "it has a driver");
    must(driver.arguments.find_first_of(std::string_view("\0\n\r", 3)) == std::string::npos,
         "arguments are a line");
    if (!device.on_interface() || traits.target != Target::interface) return;
    const std::string all = "," + driver.arguments + ",";
    const std::string named = ",iface=" + device.target + ",";
    must(all.find(named) != std::string::npos, "it names the interface");
    must(all.find(",iface=") == all.rfind(",iface="), "and no other");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const auto device = parse_device(text);
    if (device) {
        check(*device, text);
        return 0;
    }
    must(!device.error().what.empty() && !device.error().remedy.empty(), "a fault says all");
    return 0;
}
