#include "daemon/unix_socket.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

static cuzk_status make_folder(const char *path, cuzk_error *err)
{
    char folder[sizeof((struct sockaddr_un *)NULL)->sun_path];
    const char *slash = strrchr(path, '/');
    if (!slash || slash == path) return CUZK_OK;
    snprintf(folder, sizeof folder, "%.*s", (int)(slash - path), path);
    if (mkdir(folder, 0755) == 0 || errno == EEXIST) return CUZK_OK;
    return cuzk_fail(err, CUZK_ERR_CREATE, "%s: cannot make the folder: %s", folder, strerror(errno));
}

static cuzk_status take_lock(int *lock, const char *path, cuzk_error *err)
{
    char name[sizeof((struct sockaddr_un *)NULL)->sun_path + 8];
    snprintf(name, sizeof name, "%s.lock", path);
    int fd = open(name, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd < 0) return cuzk_fail(err, CUZK_ERR_CREATE, "%s: %s", name, strerror(errno));
    if (flock(fd, LOCK_EX | LOCK_NB) != 0) {
        int why = errno;
        close(fd);
        if (why == EWOULDBLOCK) return cuzk_fail(err, CUZK_ERR_UNAVAILABLE, "%s: another cuzkd listens there", path);
        return cuzk_fail(err, CUZK_ERR_CREATE, "%s: %s", name, strerror(why));
    }
    *lock = fd;
    return CUZK_OK;
}

/* Whether somebody accepts connections; a full backlog counts as yes. */
static bool is_served(const char *path)
{
    struct sockaddr_un a = { .sun_family = AF_UNIX };
    memcpy(a.sun_path, path, strlen(path) + 1);
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0) return true;
    bool refused = connect(fd, (struct sockaddr *)&a, sizeof a) != 0 && errno == ECONNREFUSED;
    close(fd);
    return !refused;
}

static cuzk_status clear_way(const char *path, cuzk_error *err)
{
    struct stat s;
    if (lstat(path, &s) != 0) {
        if (errno == ENOENT) return CUZK_OK;
        return cuzk_fail(err, CUZK_ERR_CREATE, "%s: %s", path, strerror(errno));
    }
    if (!S_ISSOCK(s.st_mode)) {
        return cuzk_fail(err, CUZK_ERR_CREATE, "%s: exists and is not a socket; it is left alone", path);
    }
    if (is_served(path)) return cuzk_fail(err, CUZK_ERR_UNAVAILABLE, "%s: another program listens there", path);
    if (unlink(path) != 0) {
        return cuzk_fail(err, CUZK_ERR_CREATE, "%s: cannot remove the dead socket: %s", path, strerror(errno));
    }
    return CUZK_OK;
}

cuzk_status unix_socket_claim(int *lock, const char *path, cuzk_error *err)
{
    *lock = -1;
    cuzk_status status = make_folder(path, err);
    if (status != CUZK_OK) return status;
    status = take_lock(lock, path, err);
    if (status != CUZK_OK) return status;
    status = clear_way(path, err);
    if (status != CUZK_OK) {
        close(*lock);
        *lock = -1;
    }
    return status;
}

static cuzk_status find_group(gid_t *out, const char *name, cuzk_error *err)
{
    char *end = NULL;
    unsigned long number = strtoul(name, &end, 10);
    if (*end == '\0') {
        *out = (gid_t)number;
        return CUZK_OK;
    }
    const struct group *g = getgrnam(name);
    if (!g) return cuzk_fail(err, CUZK_ERR_CONFIG, "daemon.socket_group: there is no group \"%s\"", name);
    *out = g->gr_gid;
    return CUZK_OK;
}

cuzk_status unix_socket_share(const char *path, unsigned mode, const char *group, cuzk_error *err)
{
    gid_t gid = 0;
    if (*group) {
        cuzk_status status = find_group(&gid, group, err);
        if (status != CUZK_OK) return status;
        if (chown(path, (uid_t)-1, gid) != 0) {
            return cuzk_fail(err, CUZK_ERR_CREATE, "%s: cannot give it to group %s: %s", path, group,
                             strerror(errno));
        }
    }
    if (chmod(path, mode) != 0) return cuzk_fail(err, CUZK_ERR_CREATE, "%s: %s", path, strerror(errno));
    return CUZK_OK;
}
