#include "config/metrics.h"

#include <fmt/format.h>

#include <set>
#include <string>

namespace sluice::config {

void check_metrics(const Value& metrics, Report& report) {
    const Value& listen = metrics["listen"];
    for (const char* name : {"topology", "allow"}) {
        const Value& list = metrics[name];
        if (!list.valid || !listen.valid || list.items.empty() || !listen.text.empty()) continue;
        report.add(list.at, list.path, "has no meaning without metrics.listen",
                   "leave it out, or write metrics.listen: 192.0.2.1:9475 or the like");
    }
    const Value& certificate = metrics["tls"]["certificate"];
    const Value& its_key = metrics["tls"]["key"];
    for (const Value* value : {&certificate, &its_key, &metrics["token_file"]}) {
        if (!value->written || !value->valid || !listen.valid || !listen.text.empty()) continue;
        report.add(value->at, value->path, "has no meaning without metrics.listen",
                   "leave it out, or write metrics.listen: 192.0.2.1:9475 or the like");
    }
    if (certificate.written != its_key.written) {
        const Value& alone = certificate.written ? certificate : its_key;
        report.add(alone.at, alone.path, "a certificate needs its key, and a key its certificate",
                   fmt::format("write metrics.tls.{} as well",
                               certificate.written ? "key" : "certificate"));
    }
    std::set<std::string> seen;
    for (const Value& other : metrics["topology"].items) {
        for (const char* key : {"name", "url"}) {
            const Value& value = other[key];
            if (!value.valid || seen.insert(fmt::format("{} {}", key, value.text)).second) continue;
            report.add(value.at, value.path,
                       fmt::format("{} is listed twice", in_quotes(value.text)),
                       "name each switch once");
        }
    }
}

MetricsConfig metrics_config(const Value& metrics) {
    MetricsConfig config{.listen = metrics["listen"].text,
                         .others = {},
                         .allow = {},
                         .certificate = metrics["tls"]["certificate"].text,
                         .key = metrics["tls"]["key"].text,
                         .token_file = metrics["token_file"].text};
    for (const Value& other : metrics["topology"].items) {
        config.others.push_back({other["name"].text, other["url"].text});
    }
    for (const Value& origin : metrics["allow"].items) config.allow.push_back(origin.text);
    return config;
}

}  // namespace sluice::config
