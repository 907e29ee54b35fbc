// Site: what there is to see under which path.
//
// Bound: what is sent is made at most so often (kept.h), and of the nouns only those that a switch
// can be asked for at any size; a path that is not there, and a parameter that has no effect, are
// told.
// On a loopback address only requests to this machine are answered: a page from elsewhere that has
// a name of its own point here (DNS rebinding) learns nothing.
#pragma once

#include <functional>
#include <string_view>

#include "control/event_log.h"
#include "control/http/exposition.h"
#include "control/http/kept.h"
#include "control/http/request.h"
#include "control/http/server.h"
#include "control/show/snapshot.h"

namespace sluice::control::http {

// What a site can see of a running switch.
struct Sights {
    std::function<Json(std::string_view noun, bool all)> show;          // since cleared
    std::function<Json(std::string_view noun, bool all)> show_growing;  // for rates (daemon.h)
    std::function<Json()> totals;                                       // snapshot.h
    const EventLog& events;
};

class Site {
  public:
    // Of the FDB, that are shown; a longer one would hold control up for too long.
    static constexpr uint64_t most_addresses = 65536;

    Site(Sights sights, bool loopback) : sights_(std::move(sights)), loopback_(loopback) {}

    Response answer(const Request& request);

  private:
    Response metrics(const Request& request);
    Response show(const Request& request, const std::string& noun);
    Response events(const Request& request);
    Body look(const std::string& noun, bool all);

    Sights sights_;
    bool loopback_;
    Kept kept_;
};

// A server of a site; `listen` is an endpoint (config/yaml/endpoint.h).
tl::expected<std::unique_ptr<Server>, std::string> serve(Loop& loop, std::string_view listen,
                                                         Sights sights);

}  // namespace sluice::control::http
