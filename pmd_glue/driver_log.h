// Driver log: what DPDK, libbpf and libxdp say, kept instead of printed, and put into the words of
// a user when something fails.
//
// Should DPDK panic, standard error gets what is kept: its reason is there.
// Bound: the newest 64 KiB are kept; standard error is not waited for (standard_error.h).
// Not done here: logging of our own; control does that.
#pragma once

#include <string>
#include <string_view>

#include "pmd_glue/error.h"
#include "pmd_glue/file_descriptor.h"

namespace sluice::pmd {

// From now on nothing of theirs reaches standard error, unless `echo`. Before Eal::start; the first
// call decides.
void capture_driver_log(bool echo);

// What was said since the last call.
std::string take_driver_log();

// Takes the log and makes an error of it: a failure that is known gets its remedy, with `target`
// (an interface, an address) in the command; of one that is not, the drivers' last words are
// quoted.
Error explain(std::string key, std::string what, std::string_view target);

// The remedy for what `log` says; empty if none is known. Split off so that it can be tested.
std::string remedy_for(std::string_view log, std::string_view target);

// Standard output and error go into the log while this lives. EAL prints its usage and its last
// words there, log stream or not. Only while the program has one thread.
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
