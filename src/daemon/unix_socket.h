/* One daemon per unix socket.
 *
 * gRPC would silently take a socket over from a running server and unlink whatever stands there. So before it
 * binds, a lock file beside the socket (PATH.lock) is taken for the life of the process, a socket that nobody
 * answers on is removed, and anything else that stands in the way is an error.
 */
#ifndef CUZK_DAEMON_UNIX_SOCKET_H
#define CUZK_DAEMON_UNIX_SOCKET_H

#include "base/status.h"

/* Makes the folder if it is missing and clears the way for a bind. *lock is a file descriptor; closing it ends
 * the claim. CUZK_ERR_UNAVAILABLE: another process serves it; CUZK_ERR_CREATE: a file stands there, or the
 * folder cannot be written. */
cuzk_status unix_socket_claim(int *lock, const char *path, cuzk_error *err);

/* Sets permissions and, unless `group` is empty, the group by name or number. */
cuzk_status unix_socket_share(const char *path, unsigned mode, const char *group, cuzk_error *err);

#endif
