// Service: the sockets of all memif interfaces of the process: it listens, connects, transfers the
// messages of the handshake (session.h), and cleans up after a connection.
//
// It runs a thread of its own, without privileges, while any interface exists.
// A client is disconnected if it has not completed the handshake within 5 s, sends an invalid
// message, breaks a ring, or connects while `most_waiting` clients of that socket are in their
// handshake; the interface is then free for the next client. A client in this process retries every
// 100 ms. An interface keeps the reason for which its connection ended.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <variant>

#include "pmd_glue/file_descriptor.h"
#include "pmd_glue/memif/session.h"

namespace sluice::pmd::memif {

class Interface;
struct OpenFault;

class Service {
  public:
    static constexpr std::size_t most_waiting = 64;

    static std::shared_ptr<Service> running();
    ~Service();
    Service(const Service&) = delete;
    Service& operator=(const Service&) = delete;

    std::optional<OpenFault> add(Interface& interface);
    // Ends the interface's connection, and removes the socket if no other interface uses it.
    void remove(Interface& interface);
    void while_none_comes_or_goes(const std::function<void()>& what);

  private:
    using Clock = std::chrono::steady_clock;

    struct Listener {
        FileDescriptor socket;
        std::map<uint32_t, Interface*> interfaces;  // by id
        uint64_t event = 0;                         // identifies the socket in epoll
        uint64_t device = 0;                        // device and inode identify the socket's file
        uint64_t inode = 0;
        bool rests = false;  // accept failed; retried in `look_after`
    };
    struct Connection {
        FileDescriptor socket;
        std::variant<ServerSession, ClientSession> session;
        std::string path;                // path of the listener that accepted the connection
        Interface* interface = nullptr;  // set from the start for a client of this process
        Clock::time_point came;
        bool connected = false;
    };
    using Connections = std::map<uint64_t, Connection>;  // by event number in epoll

    Service();
    void run();
    void serve(uint64_t event);
    void greet(const std::string& path);
    // Sets whether epoll waits for new clients.
    void listen_to(Listener& listener, bool on);
    void on_readable(Connections::iterator connection);
    Answer answer(Connection& connection, const Message& message, FileDescriptor file);
    std::optional<std::string> claim(Connection& connection, uint32_t id, bool& trusted);
    std::optional<std::string> share_memory(Connection& connection);
    void end(Connections::iterator connection, const std::string& why);
    void look_after();
    std::optional<OpenFault> listen(Interface& interface);
    // Connects. Returns 0, or errno.
    int connect(Interface& interface);
    bool watch(int socket, uint64_t event);
    Connections::iterator connection_of(const Interface& interface);

    std::mutex mutex_;  // guards all members below
    FileDescriptor epoll_;
    FileDescriptor wake_;
    std::atomic<bool> stopping_{false};
    uint64_t next_event_ = 1;
    std::map<std::string, Listener> listeners_;  // by path
    std::map<uint64_t, std::string> events_of_listeners_;
    Connections connections_;
    std::set<Interface*> clients_;
    std::thread thread_;
};

}  // namespace sluice::pmd::memif
