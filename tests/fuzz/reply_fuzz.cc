// Whatever answers on the socket, the client reads it or says that it makes no sense: what it shows
// of it writes lines of text on the terminal, and no more than the answer gives reason for.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "control/show/nouns.h"
#include "tests/fuzz/promises.h"
#include "tools/sluice/json_text.h"
#include "tools/sluice/ports_view.h"
#include "tools/sluice/reply.h"
#include "tools/sluice/top/page.h"
#include "tools/sluice/views.h"

namespace {

using namespace sluice::cli;
using sluice::test::must;

void check_text(const std::string& text, std::size_t answer) {
    unsigned char before = 0;
    for (const char letter : text) {
        const auto octet = static_cast<unsigned char>(letter);
        must(letter == '\n' || (octet >= 0x20 && octet != 0x7F), "lines of text");
        must(before != 0xC2 || octet >= 0xA0, "nor controls from U+0080 on");
        before = octet;
    }
    // A line for each row, however little is in it.
    must(text.size() <= 64 * 1024 + answer * 1024, "no more than there is reason for");
}

// A result that is not what the noun's is throws, and main says so.
template <class Render>
void show(Render render, std::size_t answer) {
    try {
        check_text(render(), answer);
    } catch (const Json::exception&) {
    }
}

constexpr std::size_t width_of_terminal = 80;

// A configuration is a file, and the bars of the fabric begin with a number that may be any text.
std::string on_a_terminal(std::string_view noun, const Json& result) {
    Sheet sheet({width_of_terminal});
    std::string text = render(noun, result, sheet);
    if (noun == "config" || noun == "fabric") return text;
    std::size_t letters = 0;
    for (const char octet : text) {
        const bool goes_on = (static_cast<unsigned char>(octet) & 0xC0) == 0x80;  // of UTF-8
        letters = octet == '\n' ? 0 : letters + (goes_on ? 0 : 1);
        must(letters <= width_of_terminal, "no line is longer than the terminal is wide");
    }
    return text;
}

std::string page_of(const top::View& view, const Json& result) {
    const auto page =
        top::lay_out(view, top::rows_of(view, result, result, 1), {}, width_of_terminal);
    std::string text = page.titles + '\n';
    for (const std::string& line : page.lines) text += line + '\n';
    return text;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
    const auto reply = read_reply({reinterpret_cast<const char*>(data), size});
    if (!reply) return 0;
    if (!*reply) {
        must(reply->error().status == 1 || reply->error().status == 2, "1 or 2");
        return 0;
    }
    const Json& result = **reply;
    check_text(json_text(result, -1), size);
    for (const auto& noun : sluice::control::nouns) {
        show([&] { return render(noun.name, result); }, size);
        show([&] { return on_a_terminal(noun.name, result); }, size);
    }
    Sheet sheet({width_of_terminal});
    show([&] { return render_rates(result, result, 1, sheet); }, size);
    for (const top::View& view : top::views()) {
        show([&] { return page_of(view, result); }, size);
    }
    return 0;
}
