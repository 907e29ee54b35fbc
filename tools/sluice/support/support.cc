#include "tools/sluice/support/support.h"

#include <fcntl.h>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <ctime>
#include <string_view>
#include <vector>

#include "config/yaml/text_file.h"
#include "control/show/nouns.h"
#include "tools/sluice/client.h"
#include "tools/sluice/json_text.h"
#include "tools/sluice/sim/cluster/program.h"
#include "tools/sluice/support/archive.h"
#include "tools/sluice/support/secrets.h"
#include "tools/sluice/views.h"

namespace sluice::cli {

namespace {

using namespace std::chrono_literals;

constexpr std::size_t longest_file = 1024 * 1024;

struct Part {
    std::string name;
    std::string about;
};

// Returns the output of a program, with any exit status.
std::string said_by(std::vector<std::string> words) {
    words.insert(words.begin(), {"sh", "-c", "\"$@\" 2>&1; true", "sh"});
    const auto said = output_of(words, 1min);
    return said ? *said : said.error() + '\n';
}

std::string own_path() {
    std::string path(4096, '\0');
    const ssize_t length = ::readlink("/proc/self/exe", path.data(), path.size());
    return length > 0 ? path.substr(0, static_cast<std::size_t>(length)) : "sluice";
}

class Collection {
  public:
    explicit Collection(std::string top) : top_(std::move(top)), archive_(std::time(nullptr)) {}

    void add(const std::string& name, const std::string& about, std::string_view text) {
        parts_.push_back({name, about});
        add_beside(name, text);
    }
    // Adds a file without a line in the list of contents.
    void add_beside(const std::string& name, std::string_view text) {
        archive_.add(fmt::format("{}/{}", top_, name), text);
    }
    void amiss(const std::string& what) { amiss_ += fmt::format("{}\n", what); }

    // Returns the archive, with the list of its contents.
    std::string octets() {
        std::string list = contents();
        archive_.add(fmt::format("{}/CONTENTS", top_), list);
        return archive_.octets();
    }
    [[nodiscard]] std::string contents() const {
        std::string list;
        for (const Part& part : parts_) list += fmt::format("  {:<22} {}\n", part.name, part.about);
        if (!amiss_.empty()) list += "Not in the archive:\n" + amiss_;
        return list;
    }

  private:
    std::string top_;
    Archive archive_;
    std::vector<Part> parts_;
    std::string amiss_;  // files that could not be collected, a line each
};

void add_what_runs(Collection& collection, const std::string& socket) {
    auto client = Client::connect(socket);
    if (!client) return collection.amiss("  show: " + client.error().lines.front());
    for (const control::Noun& noun : control::nouns) {
        const auto answer = client->ask({{"show", noun.name}, {"all", true}});
        if (!answer && answer.error().status == 2) {  // an older sluiced lacks the noun
            collection.amiss(fmt::format("  show {}: {}", noun.name, answer.error().lines.front()));
            continue;
        }
        if (!answer) {
            // If the switch hangs, each further noun would wait for the timeout, too.
            collection.amiss(fmt::format("  show {} and later nouns: {}", noun.name,
                                         answer.error().lines.front()));
            return;
        }
        if (noun.name == "config") {
            collection.add("running.yaml", "the running configuration, without secrets",
                           without_secrets(answer->at("text").get<std::string>()));
            continue;
        }
        const std::string name = fmt::format("show/{}.json", noun.name);
        collection.add(name, fmt::format("and .txt: {}", noun.help), json_text(*answer, 1) + '\n');
        collection.add_beside(fmt::format("show/{}.txt", noun.name), render(noun.name, *answer));
    }
}

void add_machine(Collection& collection, const SupportOptions& options) {
    const std::string self = own_path();
    collection.add("version.txt", "this sluice, and the sluiced that answers",
                   said_by({self, "version", "--socket", options.socket}));
    collection.add("doctor.txt", "findings about this machine",
                   said_by({self, "doctor", "--socket", options.socket}));
    collection.add(
        "system.txt", "kernel, distribution and processors",
        said_by({"uname", "-a"}) + said_by({"cat", "/etc/os-release"}) + said_by({"lscpu"}));
    collection.add("packages.txt", "packages of Sluice and DPDK",
                   said_by({"dpkg-query", "-W", "sluice*", "dpdk*", "librte-*"}));
    collection.add(
        "log.txt", "the end of the service's log, where systemd keeps it",
        without_secrets(said_by({"journalctl", "--unit=sluice", "--lines=5000", "--no-pager"})));
    if (options.config_file.empty()) return;
    // Symbolic links are refused: another user may have made one to any file.
    const int file =
        ::open(options.config_file.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (file < 0) {
        return collection.amiss(fmt::format("  {}: {}", options.config_file, std::strerror(errno)));
    }
    const auto text = config::read_text_file(fmt::format("/proc/self/fd/{}", file), longest_file,
                                             config::FileKind::regular);
    ::close(file);
    if (!text) return collection.amiss(fmt::format("  {}: {}", options.config_file, text.error()));
    collection.add("file.yaml", options.config_file + ", without secrets and comments",
                   without_secrets(*text));
    collection.add("check.txt", "faults of that file",
                   without_secrets(said_by({self, "check", options.config_file})));
}

// Makes a file that only its owner may read. Returns why it failed; empty if it did not.
std::string make(const std::string& path, std::string_view octets) {
    const int file =
        ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (file < 0) return fmt::format("{}: {}", path, std::strerror(errno));
    std::string why;
    while (!octets.empty() && why.empty()) {
        const ssize_t written = ::write(file, octets.data(), octets.size());
        if (written > 0) octets.remove_prefix(static_cast<std::size_t>(written));
        if (written < 0 && errno != EINTR) why = fmt::format("{}: {}", path, std::strerror(errno));
    }
    if (::close(file) != 0 && why.empty()) why = fmt::format("{}: {}", path, std::strerror(errno));
    if (!why.empty()) ::unlink(path.c_str());
    return why;
}

}  // namespace

int support(const SupportOptions& options) {
    utsname system{};
    ::uname(&system);
    const std::string top = fmt::format("sluice-support-{}-{:%Y%m%d-%H%M%S}", system.nodename,
                                        fmt::gmtime(std::time(nullptr)));
    constexpr std::string_view ending = ".gz";
    const std::string path = options.file.empty() ? top + ".tar.gz" : options.file;
    if (!path.ends_with(".tar.gz")) {
        return print_failure({2, {path + ": must end with .tar.gz"}});
    }
    if (::faccessat(AT_FDCWD, path.c_str(), F_OK, AT_SYMLINK_NOFOLLOW) == 0) {
        return print_failure({2, {path + ": exists already; name another file"}});
    }
    Collection collection(top);
    add_what_runs(collection, options.socket);
    add_machine(collection, options);

    const std::string plain = path.substr(0, path.size() - ending.size());
    const std::string why = make(plain, collection.octets());
    if (!why.empty())
        return print_failure({1, {why + "; name a file in a folder that you may write to"}});
    const auto packed = output_of({"gzip", "--no-name", "--", plain}, 10min);
    fmt::print("{}\n", packed ? path : plain);
    fmt::print("{}", collection.contents());
    if (!packed) fmt::print("The archive is not compressed: {}\n", packed.error());
    fmt::print(
        "The archive has names and addresses of your network, but no tokens and passwords. Only\n"
        "you may read it; inspect it before you send it: tar -xf FILE\n");
    return 0;
}

}  // namespace sluice::cli
