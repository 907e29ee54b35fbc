// Site: what there is to see under which path.
//
// Bound: what is sent is made at most so often (response_cache.h), and of the nouns only those that
// a switch can be asked for at any size; a path that is not there, and a parameter that has no
// effect, are told.
// On a loopback address only requests to this machine are answered: a page from elsewhere that has
// a name of its own point here (DNS rebinding) learns nothing.
// A browser lets pages of other origins read what is here where `metrics.allow` names them (CORS),
// and a page of ours reads the switches of `metrics.topology` besides, and nobody else.
#pragma once

#include <functional>
#include <string_view>

#include "config/configuration.h"
#include "control/event_log.h"
#include "control/http/exposition.h"
#include "control/http/page.h"
#include "control/http/request.h"
#include "control/http/response_cache.h"
#include "control/http/server.h"
#include "control/show/snapshot.h"

namespace sluice::control::http {

// What a site can see of a running switch.
struct SiteSources {
    std::function<Json(std::string_view noun, bool all)> show;          // since cleared
    std::function<Json(std::string_view noun, bool all)> show_growing;  // for rates (daemon.h)
    std::function<Json()> totals;                                       // snapshot.h
    const EventLog& events;
    std::function<const config::MetricsConfig&()> metrics;  // as they are now
};

class Site {
  public:
    // Of the FDB, that are shown; a longer one would hold control up for too long.
    static constexpr uint64_t most_addresses = 65536;

    Site(SiteSources sources, bool loopback) : sources_(std::move(sources)), loopback_(loopback) {}

    Response answer(const Request& request);

  private:
    Response look_at(const Request& request);
    Response metrics(const Request& request);
    Response page(const PageFile& file) const;
    [[nodiscard]] Response others() const;
    Response show(const Request& request, const std::string& noun);
    Response events(const Request& request);
    Body look(const std::string& noun, bool all);

    SiteSources sources_;
    bool loopback_;
    ResponseCache cache_;
};

// A server of a site; `listen` is an endpoint (config/yaml/endpoint.h).
tl::expected<std::unique_ptr<Server>, std::string> serve(Loop& loop, std::string_view listen,
                                                         SiteSources sources);

}  // namespace sluice::control::http
