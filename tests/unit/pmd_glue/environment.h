// What main.cc set up, for the tests.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "pmd_glue/eal.h"
#include "pmd_glue/pool.h"
#include "pmd_glue/port.h"

namespace sluice::pmd {

// EAL with two worker lcores.
Eal& eal();

// A pool of `layout`; the test fails where there is none.
std::unique_ptr<Pool> make_pool(BufferLayout layout = BufferLayout::packed,
                                std::size_t buffers = 4096);

// A port on `device`, 128 descriptors; the test fails where it cannot be opened.
std::unique_ptr<Port> open_port(const std::string& device, Pool& pool, bool promiscuous = true);
// The error of opening it; the test fails if it can be opened.
Error open_error(const std::string& device, Pool& pool);

// `count` frames of 60 octets, numbered from `first` in their first octet.
std::vector<Frame> make_frames(Pool& pool, std::size_t count, uint8_t first = 0);
// The first octets of all that `port` has for us now; the frames are freed.
std::vector<int> receive_all(Port& port, Pool& pool);
void free_frames(Pool& pool, std::span<const Frame> frames);

}  // namespace sluice::pmd
