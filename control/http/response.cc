#include "control/http/response.h"

#include <fmt/format.h>

namespace sluice::control::http {

std::string_view name_of_status(int status) {
    switch (status) {
        case 200:
            return "OK";
        case 400:
            return "Bad Request";
        case 401:
            return "Unauthorized";
        case 404:
            return "Not Found";
        case 405:
            return "Method Not Allowed";
        case 413:
            return "Content Too Large";
        case 421:
            return "Misdirected Request";
        case 431:
            return "Request Header Fields Too Large";
        case 503:
            return "Service Unavailable";
        case 505:
            return "HTTP Version Not Supported";
        default:
            return "Unknown";
    }
}

// Pages of this server may load only from this server and from `connect_sources`. Among pages of
// other origins, only those of `allowed_origin` may read the response.
std::string head_of(const Response& response, bool keep_alive) {
    std::string head = fmt::format(
        "HTTP/1.1 {} {}\r\n"
        "Content-Type: {}\r\n"
        "Cache-Control: no-store\r\n"
        "Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'; "
        "connect-src 'self'{}; img-src 'self'; base-uri 'none'; form-action 'none'; "
        "frame-ancestors 'none'\r\n"
        "Cross-Origin-Resource-Policy: same-origin\r\n"
        "Referrer-Policy: no-referrer\r\n"
        "X-Content-Type-Options: nosniff\r\n",
        response.status, name_of_status(response.status), response.type, response.connect_sources);
    if (!response.allowed_origin.empty()) {
        head += fmt::format("Access-Control-Allow-Origin: {}\r\nVary: Origin\r\n",
                            response.allowed_origin);
    }
    if (response.status == 401) {  // browsers then prompt for a password
        head +=
            "WWW-Authenticate: Bearer realm=\"sluice\"\r\n"
            "WWW-Authenticate: Basic realm=\"sluice\", charset=\"UTF-8\"\r\n";
    }
    if (response.status == 405) head += "Allow: GET, HEAD\r\n";
    if (!response.feed) {
        head += fmt::format("Content-Length: {}\r\n", response.body ? response.body->size() : 0);
    }
    head += keep_alive ? "\r\n" : "Connection: close\r\n\r\n";
    return head;
}

}  // namespace sluice::control::http
