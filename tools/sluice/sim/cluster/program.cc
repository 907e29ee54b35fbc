#include "tools/sluice/sim/cluster/program.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <utility>

namespace sluice::cli {

namespace {

constexpr std::size_t most_said = 16 * 1024 * 1024;

class Pipe {
  public:
    Pipe() {
        if (::pipe2(ends_.data(), O_CLOEXEC) != 0) ends_ = {-1, -1};
    }
    Pipe(const Pipe&) = delete;
    Pipe& operator=(const Pipe&) = delete;
    ~Pipe() {
        close_end(0);
        close_end(1);
    }
    [[nodiscard]] int ours() const { return ends_[0]; }
    [[nodiscard]] int its() const { return ends_[1]; }
    void close_ours() { close_end(0); }
    void close_its() { close_end(1); }

  private:
    void close_end(std::size_t end) {
        if (ends_[end] >= 0) ::close(std::exchange(ends_[end], -1));
    }
    std::array<int, 2> ends_{-1, -1};
};

std::vector<char*> arguments_of(const std::vector<std::string>& words) {
    std::vector<char*> arguments;
    for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    return arguments;
}

std::vector<char*> environment_without(std::string_view unset) {
    std::vector<char*> environment;
    for (char** variable = environ; *variable != nullptr; ++variable) {
        if (unset.empty() || !std::string_view(*variable).starts_with(unset)) {
            environment.push_back(*variable);
        }
    }
    environment.push_back(nullptr);
    return environment;
}

tl::expected<pid_t, std::string> spawn(const std::vector<std::string>& words, int output,
                                       int errors, std::string_view unset) {
    const std::vector<char*> arguments = arguments_of(words);
    const std::vector<char*> environment = environment_without(unset);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO);
    pid_t pid = 0;
    const int failed = ::posix_spawnp(&pid, arguments[0], &actions, &attributes, arguments.data(),
                                      environment.data());
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    if (failed == 0) return pid;
    return tl::unexpected(
        fmt::format("{} cannot be started: {}", words.front(), std::strerror(failed)));
}

// Reads some octets. Returns false at the end.
bool read_some(int from, std::string& into) {
    std::array<char, 65536> piece;
    const ssize_t octets = ::read(from, piece.data(), piece.size());
    if (octets < 0) return errno == EINTR;
    if (into.size() < most_said) into.append(piece.data(), static_cast<std::size_t>(octets));
    return octets > 0;
}

std::string first_line(const std::string& text) {
    const std::size_t from = std::min(text.find_first_not_of(" \n"), text.size());
    return text.substr(from, text.find('\n', from) - from);
}

}  // namespace

tl::expected<std::string, std::string> output_of(const std::vector<std::string>& words,
                                                 std::chrono::milliseconds longest,
                                                 std::string_view unset) {
    using Clock = std::chrono::steady_clock;
    const Clock::time_point deadline = Clock::now() + longest;
    Pipe output;
    Pipe errors;
    const auto pid = spawn(words, output.its(), errors.its(), unset);
    if (!pid) return tl::unexpected(pid.error());
    output.close_its();
    errors.close_its();
    std::string said;
    std::string complaint;
    bool in_time = true;
    while (output.ours() >= 0 || errors.ours() >= 0) {
        const auto left =
            std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now());
        in_time = left.count() > 0;
        if (!in_time) break;
        std::array<pollfd, 2> open{{{output.ours(), POLLIN, 0}, {errors.ours(), POLLIN, 0}}};
        if (::poll(open.data(), open.size(), static_cast<int>(left.count())) <= 0) continue;
        if (open[0].revents != 0 && !read_some(output.ours(), said)) output.close_ours();
        if (open[1].revents != 0 && !read_some(errors.ours(), complaint)) errors.close_ours();
    }
    if (!in_time) ::kill(*pid, SIGKILL);
    int status = 0;
    while (::waitpid(*pid, &status, 0) < 0 && errno == EINTR) continue;
    if (!in_time) {
        return tl::unexpected(
            fmt::format("{} gave no answer in {} s", words.front(), longest.count() / 1000));
    }
    if (WIFSIGNALED(status)) {
        return tl::unexpected(
            fmt::format("{} was ended by SIG{}", words.front(), sigabbrev_np(WTERMSIG(status))));
    }
    if (WEXITSTATUS(status) == 0) return said;
    const std::string line = first_line(complaint);
    if (line.empty()) {
        return tl::unexpected(
            fmt::format("{} failed with status {}", words.front(), WEXITSTATUS(status)));
    }
    // Some programs begin their messages with their own name.
    if (line.starts_with(words.front() + ':')) return tl::unexpected(line);
    return tl::unexpected(fmt::format("{}: {}", words.front(), line));
}

tl::expected<int, std::string> start(const std::vector<std::string>& words) {
    const std::vector<char*> arguments = arguments_of(words);
    const pid_t parent = ::getpid();
    const pid_t child = ::fork();
    if (child < 0) {
        return tl::unexpected(
            fmt::format("{} cannot be started: {}", words.front(), std::strerror(errno)));
    }
    if (child > 0) return child;
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    const int nothing = ::open("/dev/null", O_RDONLY);
    const bool ready = ::getppid() == parent && ::dup2(nothing, STDIN_FILENO) == STDIN_FILENO;
    if (ready) ::execv(arguments[0], arguments.data());
    ::_exit(127);
}

}  // namespace sluice::cli
