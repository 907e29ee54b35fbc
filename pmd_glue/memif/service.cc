#include "pmd_glue/memif/service.h"

#include <pthread.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>
#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <utility>

#include "pmd_glue/memif/interface.h"
#include "pmd_glue/privileges.h"

namespace sluice::pmd::memif {
namespace {

constexpr auto until_connected = std::chrono::seconds(5);
constexpr int tick_ms = 100;
constexpr uint64_t wake_event = 0;

sockaddr_un address_of(const std::string& path) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path, path.data(), std::min(path.size(), sizeof address.sun_path - 1));
    return address;
}

FileDescriptor new_socket() {
    return FileDescriptor(::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
}

std::string last_fault() { return std::strerror(errno); }

// A message, with room to detect a longer one. The control buffer has room for at most two file
// descriptors; the first is kept.
struct Packet {
    ssize_t octets = 0;  // -1 if recvmsg failed; errno has the reason
    Message message{};
    FileDescriptor file;
};

Packet receive_packet(int socket) {
    Packet packet;
    std::array<uint8_t, message_octets + 1> room{};
    iovec part{room.data(), room.size()};
    alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> beside{};
    msghdr header{};
    header.msg_iov = &part;
    header.msg_iovlen = 1;
    header.msg_control = beside.data();
    header.msg_controllen = beside.size();
    packet.octets = ::recvmsg(socket, &header, MSG_CMSG_CLOEXEC);
    if (packet.octets < 0) return packet;
    for (cmsghdr* control = CMSG_FIRSTHDR(&header); control != nullptr;
         control = CMSG_NXTHDR(&header, control)) {
        if (control->cmsg_level != SOL_SOCKET || control->cmsg_type != SCM_RIGHTS) continue;
        for (std::size_t at = CMSG_LEN(0); at + sizeof(int) <= control->cmsg_len;
             at += sizeof(int)) {
            int number = -1;
            std::memcpy(&number, reinterpret_cast<char*>(control) + at, sizeof number);
            FileDescriptor file(number);
            if (!packet.file.is_open()) packet.file = std::move(file);
        }
    }
    std::copy_n(room.begin(), message_octets, packet.message.begin());
    return packet;
}

bool send_packet(int socket, const Outgoing& said) {
    Message message = said.message;
    iovec part{message.data(), message.size()};
    alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> beside{};
    msghdr header{};
    header.msg_iov = &part;
    header.msg_iovlen = 1;
    if (said.file >= 0) {
        header.msg_control = beside.data();
        header.msg_controllen = beside.size();
        cmsghdr* const control = CMSG_FIRSTHDR(&header);
        control->cmsg_level = SOL_SOCKET;
        control->cmsg_type = SCM_RIGHTS;
        control->cmsg_len = CMSG_LEN(sizeof(int));
        std::memcpy(CMSG_DATA(control), &said.file, sizeof said.file);
    }
    return ::sendmsg(socket, &header, MSG_NOSIGNAL) == ssize_t{message_octets};
}

}  // namespace

std::shared_ptr<Service> Service::running() {
    static std::mutex one_at_a_time;
    static std::weak_ptr<Service> running;
    const std::scoped_lock alone(one_at_a_time);
    auto service = running.lock();
    if (service == nullptr) {
        service.reset(new Service);
        running = service;
    }
    return service;
}

Service::Service()
    : epoll_(::epoll_create1(EPOLL_CLOEXEC)), wake_(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) {
    watch(wake_.number(), wake_event);
    confined([this] {
        thread_ = std::thread([this] { run(); });
        ::pthread_setname_np(thread_.native_handle(), "memif");
    });
}

Service::~Service() {
    stopping_.store(true);
    const uint64_t one = 1;
    [[maybe_unused]] const ssize_t ignored = ::write(wake_.number(), &one, sizeof one);
    thread_.join();
}

// --- called by control ---

std::optional<OpenFault> Service::add(Interface& interface) {
    const std::scoped_lock alone(mutex_);
    if (interface.request().role == Role::server) return listen(interface);
    const std::string& path = interface.request().socket;
    // EAGAIN means that the server exists, but is slow to accept earlier clients.
    if (const int fault = connect(interface); fault != 0 && fault != EAGAIN) {
        const std::string why = " " + path + " (" + std::strerror(fault) + ")";
        if (fault == ENOENT || fault == ECONNREFUSED) {
            return OpenFault{
                "no process listens on" + why,
                "start the memif server there first, or make this port the server with `,server`"};
        }
        return OpenFault{"it cannot connect to" + why, "name the socket of a memif server"};
    }
    clients_.insert(&interface);
    return std::nullopt;
}

void Service::remove(Interface& interface) {
    const std::scoped_lock alone(mutex_);
    clients_.erase(&interface);
    if (auto connection = connection_of(interface); connection != connections_.end()) {
        end(connection, "this end closes the connection");
    }
    if (interface.request().role == Role::client) return;
    const auto listener = listeners_.find(interface.request().socket);
    listener->second.interfaces.erase(interface.request().id);
    if (!listener->second.interfaces.empty()) return;
    struct stat now {};
    const bool is_ours = ::lstat(listener->first.c_str(), &now) == 0 &&
                         now.st_dev == listener->second.device &&
                         now.st_ino == listener->second.inode;
    if (is_ours) ::unlink(listener->first.c_str());
    std::erase_if(events_of_listeners_,
                  [&](const auto& event) { return event.second == listener->first; });
    listeners_.erase(listener);
}

void Service::while_none_comes_or_goes(const std::function<void()>& what) {
    const std::scoped_lock alone(mutex_);
    what();
}

std::optional<OpenFault> Service::listen(Interface& interface) {
    const std::string& path = interface.request().socket;
    const uint32_t id = interface.request().id;
    if (const auto there = listeners_.find(path); there != listeners_.end()) {
        if (there->second.interfaces.emplace(id, &interface).second) return std::nullopt;
        return OpenFault{"another port has that socket and id", "give it one with `,id=N`"};
    }
    FileDescriptor socket = new_socket();
    const sockaddr_un address = address_of(path);
    const uint64_t event = next_event_++;
    if (!socket.is_open() ||
        ::bind(socket.number(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
        const bool is_taken = errno == EADDRINUSE;
        return OpenFault{"it cannot listen on " + path + " (" + last_fault() + ")",
                         is_taken ? "stop the process that does, or choose another path"
                                  : "choose a path in a folder that can be written"};
    }
    if (::listen(socket.number(), SOMAXCONN) != 0 || !watch(socket.number(), event)) {
        ::unlink(path.c_str());
        return OpenFault{"it cannot listen on " + path + " (" + last_fault() + ")", "try again"};
    }
    events_of_listeners_[event] = path;
    Listener& listener = listeners_[path];
    listener.socket = std::move(socket);
    listener.event = event;
    if (struct stat file{}; ::lstat(path.c_str(), &file) == 0) {
        listener.device = file.st_dev;
        listener.inode = file.st_ino;
    }
    listener.interfaces.emplace(id, &interface);
    return std::nullopt;
}

int Service::connect(Interface& interface) {
    FileDescriptor socket = new_socket();
    const InterfaceRequest& request = interface.request();
    const sockaddr_un address = address_of(request.socket);
    const uint64_t event = next_event_++;
    if (!socket.is_open() ||
        ::connect(socket.number(), reinterpret_cast<const sockaddr*>(&address), sizeof address) !=
            0 ||
        !watch(socket.number(), event)) {
        return errno;
    }
    connections_.emplace(
        event, Connection{.socket = std::move(socket),
                          .session = ClientSession(request.id, request.name, request.shape),
                          .path = {},
                          .interface = &interface,
                          .came = Clock::now()});
    return 0;
}

bool Service::watch(int socket, uint64_t event) {
    epoll_event about{.events = EPOLLIN, .data = {.u64 = event}};
    return ::epoll_ctl(epoll_.number(), EPOLL_CTL_ADD, socket, &about) == 0;
}

Service::Connections::iterator Service::connection_of(const Interface& interface) {
    return std::ranges::find_if(connections_, [&](const auto& connection) {
        return connection.second.interface == &interface;
    });
}

// --- called by its thread ---

void Service::run() {
    sigset_t all;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_BLOCK, &all, nullptr);
    std::array<epoll_event, 16> events{};
    for (auto looked = Clock::now(); !stopping_.load();) {
        const int count = ::epoll_wait(epoll_.number(), events.data(), events.size(), tick_ms);
        const std::scoped_lock alone(mutex_);
        for (int n = 0; n < count; ++n) serve(events[static_cast<std::size_t>(n)].data.u64);
        if (Clock::now() - looked < std::chrono::milliseconds(tick_ms)) continue;
        looked = Clock::now();
        look_after();
    }
}

// An event of a connection that an earlier event has ended finds no entry in the map.
void Service::serve(uint64_t event) {
    if (const auto path = events_of_listeners_.find(event); path != events_of_listeners_.end()) {
        greet(path->second);
    } else if (const auto found = connections_.find(event); found != connections_.end()) {
        on_readable(found);
    }
}

void Service::greet(const std::string& path) {
    Listener& listener = listeners_.at(path);
    FileDescriptor socket(
        ::accept4(listener.socket.number(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
    if (!socket.is_open()) {
        // Otherwise epoll would return at once for the same client, again and again.
        if (errno != EAGAIN && errno != ECONNABORTED) listen_to(listener, false);
        return;
    }
    const auto waiting = std::ranges::count_if(connections_, [&](const auto& each) {
        return each.second.path == path && !each.second.connected;
    });
    if (static_cast<std::size_t>(waiting) >= most_waiting) return;
    const uint64_t event = next_event_++;
    if (!send_packet(socket.number(), {ServerSession::hello()}) || !watch(socket.number(), event)) {
        return;
    }
    connections_.emplace(event, Connection{.socket = std::move(socket),
                                           .session = ServerSession(),
                                           .path = path,
                                           .came = Clock::now()});
}

void Service::listen_to(Listener& listener, bool on) {
    epoll_event about{.events = on ? EPOLLIN : 0U, .data = {.u64 = listener.event}};
    ::epoll_ctl(epoll_.number(), EPOLL_CTL_MOD, listener.socket.number(), &about);
    listener.rests = !on;
}

void Service::on_readable(Connections::iterator connection) {
    Packet packet = receive_packet(connection->second.socket.number());
    if (packet.octets < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (packet.octets <= 0) return end(connection, "the other end closed the connection");
    if (packet.octets != ssize_t{message_octets}) return end(connection, "not a message of memif");
    const Answer said = answer(connection->second, packet.message, std::move(packet.file));
    if (said.end) return end(connection, *said.end);
    if (said.connected) {
        if (auto fault = share_memory(connection->second)) return end(connection, *fault);
    }
    if (said.say && !send_packet(connection->second.socket.number(), *said.say)) {
        end(connection, "the other end does not accept a message");
    }
}

Answer Service::answer(Connection& connection, const Message& message, FileDescriptor file) {
    if (auto* const client = std::get_if<ClientSession>(&connection.session)) {
        return client->receive(message);
    }
    return std::get<ServerSession>(connection.session)
        .receive(message, std::move(file),
                 [&](uint32_t id, bool& trusted) { return claim(connection, id, trusted); });
}

std::optional<std::string> Service::claim(Connection& connection, uint32_t id, bool& trusted) {
    const auto listener = listeners_.find(connection.path);
    if (listener == listeners_.end()) return "the server no longer listens";
    const auto interface = listener->second.interfaces.find(id);
    if (interface == listener->second.interfaces.end()) return "no interface has that id";
    if (connection_of(*interface->second) != connections_.end()) return "it is connected already";
    connection.interface = interface->second;
    trusted = interface->second->request().trusted;
    return std::nullopt;
}

std::optional<std::string> Service::share_memory(Connection& connection) {
    SharedMemory memory =
        std::visit([](auto& session) { return session.take_memory(); }, connection.session);
    const auto* const client = std::get_if<ClientSession>(&connection.session);
    const Shape shape = client != nullptr ? client->shape() : Shape{};
    if (auto fault = connection.interface->attach(std::move(memory), shape)) return fault;
    connection.connected = true;
    return std::nullopt;
}

// The iterator `connection` is invalid afterwards.
void Service::end(Connections::iterator connection, const std::string& why) {
    Connection& own = connection->second;
    send_packet(own.socket.number(),
                {message(MessageType::disconnect, Disconnect{.code = 0, .why = as_text<96>(why)})});
    if (own.interface != nullptr) own.interface->note_end(why);
    if (own.connected) own.interface->detach();
    connections_.erase(connection);
}

void Service::look_after() {
    const auto now = Clock::now();
    for (auto next = connections_.begin(); next != connections_.end();) {
        const auto connection = next++;
        const Connection& own = connection->second;
        if (own.connected && own.interface->broken()) {
            end(connection, "a ring claims more than it holds, or buffers outside of the memory");
        } else if (!own.path.empty() && !own.connected && now - own.came > until_connected) {
            end(connection, "too late");
        }
    }
    for (auto& [path, listener] : listeners_) {
        if (listener.rests) listen_to(listener, true);
        for (const auto& [id, interface] : listener.interfaces) interface->sweep();
    }
    for (Interface* const interface : clients_) {
        interface->sweep();
        if (connection_of(*interface) == connections_.end()) (void)connect(*interface);
    }
}

}  // namespace sluice::pmd::memif
