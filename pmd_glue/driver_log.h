// Driver log: keeps the messages of DPDK, libbpf and libxdp instead of printing them, and turns
// them into a message for the operator when something fails.
//
// If DPDK panics, the kept messages go to standard error: they contain the reason.
// Bound: the newest 64 KiB are kept; writing to standard error never blocks (standard_error.h).
// Not done here: the switch's own logging; control does that.
#pragma once

#include <string>
#include <string_view>

#include "pmd_glue/error.h"
#include "pmd_glue/file_descriptor.h"

namespace sluice::pmd {

// From now on no message of these libraries reaches standard error, unless `echo`. Call before
// Eal::start; the first call decides.
void capture_driver_log(bool echo);

// The messages since the last call.
std::string take_driver_log();

// Takes the log and makes an error of it. A known failure gets its remedy, with `target` (an
// interface, an address) in the command; for an unknown one the drivers' last messages are quoted.
Error explain(std::string key, std::string what, std::string_view target);

// The remedy for what `log` says; empty if none is known. Split off so that it can be tested.
std::string remedy_for(std::string_view log, std::string_view target);

// Standard output and error go into the log while this object lives: EAL prints its usage and its
// last messages there, whatever its log stream is. Only while the program has one thread.
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
