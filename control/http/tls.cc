#include "control/http/tls.h"

#include <fmt/format.h>
#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/ssl.h>

#include <algorithm>
#include <cerrno>
#include <climits>

#include "config/yaml/fault.h"

namespace sluice::control::http {

namespace {

// --- a BIO for a socket (the one of OpenSSL would raise SIGPIPE) --------------------------------

int socket_of(BIO* bio) { return static_cast<int>(reinterpret_cast<intptr_t>(BIO_get_data(bio))); }

int outcome(BIO* bio, ssize_t octets, void (*try_later)(BIO*)) {
    BIO_clear_retry_flags(bio);
    if (octets < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR)) try_later(bio);
    return static_cast<int>(octets);
}
void read_later(BIO* bio) { BIO_set_retry_read(bio); }
void write_later(BIO* bio) { BIO_set_retry_write(bio); }

int read_socket(BIO* bio, char* octets, int most) {
    return outcome(bio, recv(socket_of(bio), octets, static_cast<std::size_t>(most), 0),
                   read_later);
}
int write_socket(BIO* bio, const char* octets, int count) {
    return outcome(bio, send(socket_of(bio), octets, static_cast<std::size_t>(count), MSG_NOSIGNAL),
                   write_later);
}
long control_socket(BIO*, int command, long, void*) { return command == BIO_CTRL_FLUSH ? 1 : 0; }

const BIO_METHOD* socket_method() {
    static const BIO_METHOD* const method = [] {
        BIO_METHOD* made = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "socket");
        if (made == nullptr) return made;
        BIO_meth_set_read(made, read_socket);
        BIO_meth_set_write(made, write_socket);
        BIO_meth_set_ctrl(made, control_socket);
        return made;
    }();
    return method;
}

// --- one connection ------------------------------------------------------------------------------

class TlsChannel : public Channel {
  public:
    explicit TlsChannel(SSL* connection) : connection_(connection) {}
    ~TlsChannel() override { SSL_free(connection_); }

    // The first read includes the handshake.
    ssize_t read(char* octets, std::size_t most) override {
        const int limited = static_cast<int>(std::min<std::size_t>(most, INT_MAX));
        ERR_clear_error();
        return result(SSL_read(connection_, octets, limited));
    }
    ssize_t write(const char* octets, std::size_t count, bool) override {
        const int limited = static_cast<int>(std::min<std::size_t>(count, INT_MAX));
        ERR_clear_error();
        return result(SSL_write(connection_, octets, limited));
    }
    // Shuts down only once: a second SSL_shutdown would report the client's remaining data as a
    // fault.
    void end() override {
        if ((SSL_get_shutdown(connection_) & SSL_SENT_SHUTDOWN) != 0) return;
        ERR_clear_error();
        SSL_shutdown(connection_);
        shutdown(socket_of(SSL_get_wbio(connection_)), SHUT_WR);
    }
    [[nodiscard]] bool has_octets() const override { return SSL_pending(connection_) > 0; }
    [[nodiscard]] bool is_to_write() const override { return is_to_write_; }

  private:
    ssize_t result(int octets) {
        is_to_write_ = false;
        if (octets > 0) return octets;
        switch (SSL_get_error(connection_, octets)) {
            case SSL_ERROR_ZERO_RETURN:
                return 0;
            case SSL_ERROR_WANT_READ:
                errno = EAGAIN;
                return -1;
            case SSL_ERROR_WANT_WRITE:
                is_to_write_ = true;
                errno = EAGAIN;
                return -1;
            default:
                errno = EPROTO;
                return -1;
        }
    }

    SSL* connection_;
    bool is_to_write_ = false;
};

std::string last_error() {
    const unsigned long number = ERR_peek_last_error();
    const char* reason = number == 0 ? nullptr : ERR_reason_error_string(number);
    ERR_clear_error();
    return reason == nullptr ? "it cannot be read" : reason;
}

}  // namespace

tl::expected<std::shared_ptr<Tls>, std::string> Tls::load(const std::string& certificate,
                                                          const std::string& key) {
    const auto refuse = [](std::string_view what, const std::string& path,
                           std::string_view remedy) {
        return tl::unexpected(fmt::format("metrics.tls.{}: {}: {}; {}", what, config::escaped(path),
                                          last_error(), remedy));
    };
    std::shared_ptr<Tls> tls(new Tls(SSL_CTX_new(TLS_server_method())));
    SSL_CTX* const context = tls->context_;
    if (context == nullptr || socket_method() == nullptr) {
        return tl::unexpected<std::string>("metrics.tls: no memory for TLS; free some");
    }
    SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
    SSL_CTX_set_options(
        context, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_TICKET | SSL_OP_CIPHER_SERVER_PREFERENCE);
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
    SSL_CTX_set_mode(context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER |
                                  SSL_MODE_RELEASE_BUFFERS);
    // Without this callback OpenSSL would prompt at the terminal for the passphrase of a key, and
    // wait.
    SSL_CTX_set_default_passwd_cb(context, [](char*, int, int, void*) { return -1; });
    ERR_clear_error();
    if (SSL_CTX_use_certificate_chain_file(context, certificate.c_str()) != 1) {
        return refuse("certificate", certificate,
                      "a PEM file with the certificate, followed by those that signed it");
    }
    if (SSL_CTX_use_PrivateKey_file(context, key.c_str(), SSL_FILETYPE_PEM) != 1 ||
        SSL_CTX_check_private_key(context) != 1) {
        return refuse("key", key, "a PEM file with the certificate's key, without a passphrase");
    }
    return tls;
}

Tls::~Tls() { SSL_CTX_free(context_); }

std::unique_ptr<Channel> Tls::channel(int socket) const {
    SSL* const connection = SSL_new(context_);
    BIO* const bio = connection == nullptr ? nullptr : BIO_new(socket_method());
    if (bio == nullptr) {
        SSL_free(connection);
        return nullptr;
    }
    BIO_set_data(bio, reinterpret_cast<void*>(static_cast<intptr_t>(socket)));
    BIO_set_init(bio, 1);
    SSL_set_bio(connection, bio, bio);
    SSL_set_accept_state(connection);
    return std::make_unique<TlsChannel>(connection);
}

}  // namespace sluice::control::http
