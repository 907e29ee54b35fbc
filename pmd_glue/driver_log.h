// Driver log: keeps the messages of DPDK, libbpf and libxdp instead of printing them, and turns
// them into a message for the operator when something fails.
//
// If DPDK panics, the kept messages are printed to standard error: they contain the reason.
// Bound: the newest 64 KiB are kept; writing to standard error never blocks (standard_error.h).
// Not done here: the switch's own logging, which control does.
#pragma once

#include <string>
#include <string_view>

#include "pmd_glue/error.h"
#include "pmd_glue/file_descriptor.h"

namespace sluice::pmd {

// Keeps all messages of DPDK, libbpf and libxdp from standard error, unless `echo`. Call it before
// Eal::start; only the first call's `echo` counts.
void capture_driver_log(bool echo);

// Returns the messages since the last call.
std::string take_driver_log();

// Takes the log and makes an error of it. For a known failure the remedy is the known command for
// `target` (an interface or an address). For any other failure the error quotes the drivers' last
// messages.
Error explain(std::string key, std::string what, std::string_view target);

// Returns the remedy for the messages in `log`; empty if none is known. Public for tests.
std::string remedy_for(std::string_view log, std::string_view target);

// Redirects standard output and error into the log while the object exists: EAL prints its usage
// and its last messages there, whatever its log stream is. Use it only while the program has one
// thread.
class StandardStreamsCaptured {
  public:
    StandardStreamsCaptured();
    ~StandardStreamsCaptured();
    StandardStreamsCaptured(const StandardStreamsCaptured&) = delete;
    StandardStreamsCaptured& operator=(const StandardStreamsCaptured&) = delete;

  private:
    FileDescriptor output_;
    FileDescriptor error_;
    FileDescriptor file_;
};

}  // namespace sluice::pmd
