#include "control/show/latency.h"

#include <algorithm>

#include "dataplane/latency/wait_histogram.h"

namespace sluice::control {

namespace {

// Returns the upper bound of a bucket, in ns. The last bucket has no upper bound; its lower bound
// is used instead.
uint64_t bound_of(const Json& bucket) {
    const Json& bound = bucket.at("below_ns");
    return bound.is_null() ? uint64_t{1} << WaitHistogram::longest_bit : bound.get<uint64_t>();
}

// Returns the upper bound of a bucket, or the longest wait if that is in the same bucket. If the
// longest wait is in a lower bucket, it was cleared after these frames were counted, and does not
// limit their waits.
uint64_t bound_of_those(const Json& bucket, uint64_t longest) {
    const uint64_t bound = bound_of(bucket);
    const bool is_of_them =
        WaitHistogram::bucket_of(longest) >= WaitHistogram::bucket_of(bound - 1);
    return is_of_them ? std::min(bound, longest) : bound;
}

uint64_t percentile(const Json& row, uint64_t frames, uint64_t in_1000) {
    const uint64_t wanted = (frames * in_1000 + 999) / 1000;
    uint64_t seen = 0;
    for (const Json& bucket : row.at("buckets")) {
        seen += bucket.at("frames").get<uint64_t>();
        if (seen >= wanted) return bound_of_those(bucket, row.at("max_ns").get<uint64_t>());
    }
    return 0;
}

// Returns the sum of a value over the histograms of all workers.
template <class Of>
uint64_t sum(const Switch& dataplane, Of of) {
    uint64_t all = 0;
    for (WorkerIndex worker = 0; worker < dataplane.worker_count(); ++worker) {
        all += of(dataplane.latency(worker));
    }
    return all;
}

Json row_of(const Switch& dataplane, Priority priority) {
    uint64_t frames = 0;
    Json buckets = Json::array();
    for (std::size_t bucket = 0; bucket < WaitHistogram::buckets; ++bucket) {
        const uint64_t in_it = sum(dataplane, [&](const Latency& latency) {
            return latency.waits().frames(priority, bucket);
        });
        if (in_it == 0) continue;
        frames += in_it;
        const uint64_t bound = WaitHistogram::bound_of(bucket);
        const Json below = bound == WaitHistogram::no_bound ? Json(nullptr) : Json(bound);
        buckets.push_back({{"below_ns", below}, {"frames", in_it}});
    }
    uint64_t longest = 0;
    for (WorkerIndex worker = 0; worker < dataplane.worker_count(); ++worker) {
        longest = std::max(longest, dataplane.latency(worker).waits().longest(priority));
    }
    const uint64_t nanos =
        sum(dataplane, [&](const Latency& latency) { return latency.waits().sum(priority); });
    Json row = {{"priority", priority}, {"frames", frames}, {"mean_ns", 0},
                {"p50_ns", 0},          {"p99_ns", 0},      {"p999_ns", 0},
                {"max_ns", longest},    {"sum_ns", nanos},  {"buckets", buckets}};
    summarise_waits(row);
    return row;
}

}  // namespace

Json latency_snapshot(const View& view, bool all) {
    Json rows = Json::array();
    for (Priority priority = 0; priority < max_priorities; ++priority) {
        Json row = row_of(view.dataplane, priority);
        if (all || row.at("frames") != 0) rows.push_back(std::move(row));
    }
    const uint32_t one_in = view.settings.latency_one_in;
    return {{"sample", one_in},
            {"lost", sum(view.dataplane, [](const Latency& latency) { return latency.lost(); })},
            {"priorities", std::move(rows)}};
}

void summarise_waits(Json& row) {
    uint64_t frames = 0;
    for (const Json& bucket : row.at("buckets")) frames += bucket.at("frames").get<uint64_t>();
    row["frames"] = frames;
    row["mean_ns"] = frames == 0 ? 0 : row.at("sum_ns").get<uint64_t>() / frames;
    row["p50_ns"] = percentile(row, frames, 500);
    row["p99_ns"] = percentile(row, frames, 990);
    row["p999_ns"] = percentile(row, frames, 999);
}

void subtract_waits(Json& row, const Json& before) {
    Json left = Json::array();
    for (Json& bucket : row["buckets"]) {
        for (const Json& then : before.at("buckets")) {
            if (then.at("below_ns") != bucket.at("below_ns")) continue;
            bucket["frames"] =
                bucket.at("frames").get<uint64_t>() - then.at("frames").get<uint64_t>();
        }
        if (bucket.at("frames") != 0) left.push_back(bucket);
    }
    row["buckets"] = std::move(left);
    row["sum_ns"] = row.at("sum_ns").get<uint64_t>() - before.at("sum_ns").get<uint64_t>();
    summarise_waits(row);
}

}  // namespace sluice::control
