// The tests of RFC 2889, by section. Each reports its findings, one for each length of frame where
// that matters. The first finds the line rates that later ones need.
#pragma once

#include "tests/bench/rfc2889/test_bench.h"

namespace sluice::bench::rfc2889 {

// 5.1, 5.2 one-to-many, 5.4 and 5.10: meshes.cc
void fully_meshed(TestBench& bench);
void one_to_many(TestBench& bench);
void partially_meshed_unidirectional(TestBench& bench);
void broadcast(TestBench& bench);
// 5.2 many-to-one: many_to_one.cc
void many_to_one(TestBench& bench);
// 5.3, of two devices: multiple_devices.cc
void partially_meshed_multiple_devices(TestBench& bench);
// 5.5: congestion_control.cc
void congestion_control(TestBench& bench);
// 5.6: maximum_forwarding_rate.cc
void maximum_forwarding_rate(TestBench& bench);
// 5.7 and 5.8: addresses.cc
void address_caching_capacity(TestBench& bench);
void address_learning_rate(TestBench& bench);
// 5.9: errored_frames.cc
void errored_frames(TestBench& bench);

}  // namespace sluice::bench::rfc2889
