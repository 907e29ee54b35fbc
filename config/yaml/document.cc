#include "config/yaml/document.h"

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <sstream>

namespace sluice::config {

namespace {

constexpr std::size_t deepest = 16;

Position position_of(const YAML::Mark& mark) {
    return mark.is_null() ? Position{} : Position{mark.line + 1, mark.column + 1};
}

struct TooDeep {
    Position at;
};
struct TooManyFaults {};

// Builds the tree as the parser walks the text. `open_` holds the lists and maps that are not
// closed yet. Its first element is a list for the roots of the documents.
class Builder final : public YAML::EventHandler {
  public:
    explicit Builder(Report& report) : report_(report) {
        open_.push_back({.kind = Node::Kind::list, .at = {}, .text = {}, .keys = {}, .items = {}});
    }

    [[nodiscard]] std::vector<Node>& documents() { return open_.front().items; }
    [[nodiscard]] Position started() const { return started_; }

    void OnDocumentStart(const YAML::Mark& mark) override { started_ = position_of(mark); }
    void OnDocumentEnd() override {}

    void OnNull(const YAML::Mark& mark, YAML::anchor_t) override {
        attach(make(Node::Kind::nothing, mark));
    }
    void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
        report_.add(position_of(mark), path(), "aliases are not read",
                    "write the value out, or once under defaults");
        attach(make(Node::Kind::unusable, mark));
    }
    void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t,
                  const std::string& value) override {
        check_tag(mark, tag);
        Node node = make(Node::Kind::scalar, mark);
        node.text = value;
        attach(std::move(node));
    }
    void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t,
                         YAML::EmitterStyle::value) override {
        open(Node::Kind::list, mark, tag);
    }
    void OnSequenceEnd() override { close(); }
    void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t,
                    YAML::EmitterStyle::value) override {
        open(Node::Kind::map, mark, tag);
    }
    void OnMapEnd() override { close(); }

  private:
    static Node make(Node::Kind kind, const YAML::Mark& mark) {
        return {.kind = kind, .at = position_of(mark), .text = {}, .keys = {}, .items = {}};
    }

    void open(Node::Kind kind, const YAML::Mark& mark, const std::string& tag) {
        check_tag(mark, tag);
        if (open_.size() > deepest) throw TooDeep{position_of(mark)};
        open_.push_back(make(kind, mark));
    }

    void close() {
        Node node = std::move(open_.back());
        open_.pop_back();
        attach(std::move(node));
    }

    void attach(Node node) {
        if (report_.full()) throw TooManyFaults();
        Node& parent = open_.back();
        const bool is_key =
            parent.kind == Node::Kind::map && parent.keys.size() == parent.items.size();
        if (is_key && (node.kind != Node::Kind::scalar || node.text.empty())) {
            if (node.kind != Node::Kind::unusable) {
                report_.add(node.at, path(), "a key is not a word", "write `key: value`");
            }
            node.kind = Node::Kind::unusable;
        }
        (is_key ? parent.keys : parent.items).push_back(std::move(node));
    }

    // yaml-cpp reports the tag "?" for a plain scalar and "!" for a quoted one; neither is in the
    // file.
    void check_tag(const YAML::Mark& mark, const std::string& tag) {
        if (tag.empty() || tag == "?" || tag == "!") return;
        report_.add(position_of(mark), path(),
                    fmt::format("the tag {} is not read", in_quotes(tag)),
                    "write the value without a tag");
    }

    // Returns the path of the node that the next event adds.
    [[nodiscard]] std::string path() const {
        std::string path;
        for (std::size_t level = 1; level < open_.size(); ++level) {
            const Node& node = open_[level];
            if (node.kind == Node::Kind::list) {
                path += fmt::format("[{}]", node.items.size());
            } else if (node.keys.size() > node.items.size()) {
                if (!path.empty()) path += '.';
                path += in_path(node.keys.back().text);
            }
        }
        return path.empty() ? "file" : path;
    }

    Report& report_;
    std::vector<Node> open_;
    Position started_;
};

// Returns the length of the UTF-8 character at the start of `text`; 0: there is none (RFC 3629).
std::size_t character_octets(std::string_view text) {
    const auto octet = [&](std::size_t at) -> uint32_t {
        return at < text.size() ? static_cast<unsigned char>(text[at]) : 0;
    };
    const auto follows = [&](std::size_t at) { return (octet(at) & 0xC0) == 0x80; };
    const uint32_t first = octet(0);
    if (first < 0x80) return 1;
    if (first >= 0xC2 && first < 0xE0) return follows(1) ? 2 : 0;
    if (first >= 0xE0 && first < 0xF0) {
        const bool shortest = first != 0xE0 || octet(1) >= 0xA0;
        const bool no_surrogate = first != 0xED || octet(1) < 0xA0;
        return follows(1) && follows(2) && shortest && no_surrogate ? 3 : 0;
    }
    if (first >= 0xF0 && first < 0xF5) {
        const bool shortest = first != 0xF0 || octet(1) >= 0x90;
        const bool below_limit = first != 0xF4 || octet(1) < 0x90;
        return follows(1) && follows(2) && follows(3) && shortest && below_limit ? 4 : 0;
    }
    return 0;
}

// Returns whether `text` begins with an invisible character other than a tab or a line end: U+0000
// to U+001F and U+007F to U+009F.
bool is_control(std::string_view text) {
    const auto first = static_cast<unsigned char>(text[0]);
    if (first == '\t' || first == '\n' || first == '\r') return false;
    if (first == 0xC2) return static_cast<unsigned char>(text[1]) < 0xA0;
    return first < 0x20 || first == 0x7F;
}

// yaml-cpp ends at some control characters and silently repairs invalid UTF-8. Such octets are
// found first, so that they cannot hide the text after them. One fault is enough, as such a file is
// not text.
bool is_text(std::string_view text, Report& report) {
    Position at;
    while (!text.empty()) {
        const std::size_t octets = character_octets(text);
        const auto first = static_cast<unsigned char>(text.front());
        if (octets == 0) {
            report.add(at, "file", fmt::format("octet 0x{:02X} is not UTF-8", first),
                       "save the file as UTF-8 text");
            return false;
        }
        if (is_control(text)) {
            report.add(at, "file", fmt::format("control character in octet 0x{:02X}", first),
                       "remove it, a file holds only text, tabs and line ends");
            return false;
        }
        if (first == '\n') {
            at = {at.line + 1, 1};
        } else {
            at.column += static_cast<int>(octets);
        }
        text.remove_prefix(octets);
    }
    return true;
}

// yaml-cpp does not report the column of the end.
Position end_of(std::string_view text) {
    const auto lines = std::count(text.begin(), text.end(), '\n');
    const std::size_t last_line = text.find_last_of('\n') + 1;  // 0 when there is one line
    return {static_cast<int>(lines) + 1, static_cast<int>(text.size() - last_line) + 1};
}

}  // namespace

bool is_too_large(std::string_view text, Report& report) {
    if (text.size() <= largest_file) return false;
    report.add({}, "file", "is larger than 1 MiB", "name a configuration, not data");
    return true;
}

std::optional<Node> read_document(std::string_view text, Report& report) {
    if (is_too_large(text, report) || !is_text(text, report)) return std::nullopt;

    // yaml-cpp accepts an unclosed quote if the text ends with a line end.
    text = text.substr(0, text.find_last_not_of(" \t\r\n") + 1);
    std::istringstream stream{std::string(text)};
    Builder builder(report);
    try {
        YAML::Parser parser(stream);
        if (!parser.HandleNextDocument(builder)) return Node{};
        if (parser.HandleNextDocument(builder) && builder.documents().size() > 1) {
            report.add(builder.started(), "file", "a second document starts here",
                       "keep one document a file");
        }
    } catch (const TooDeep& deep) {
        report.add(deep.at, "file", fmt::format("is nested deeper than {} levels", deepest),
                   "write it flat, no key needs more than 5");
        return std::nullopt;
    } catch (const TooManyFaults&) {
        return std::nullopt;
    } catch (const YAML::Exception& error) {
        const bool at_end = error.mark.pos >= static_cast<int>(text.size());
        const Position at = at_end ? end_of(text) : position_of(error.mark);
        report.add(at, "file", "is not YAML: " + escaped(error.msg),
                   "correct the indentation, brackets, quotes or colons here or just above");
        return std::nullopt;
    }
    if (builder.documents().empty()) return Node{};
    return std::move(builder.documents().front());
}

}  // namespace sluice::config
