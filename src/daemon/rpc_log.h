/* gRPC's own log, which is one per process: its lines go to the daemon's log, and the last error of a thread can be
 * asked for, since that is the only place where a failed bind is explained. */
#ifndef CUZK_DAEMON_RPC_LOG_H
#define CUZK_DAEMON_RPC_LOG_H

#include "base/log.h"

/* NULL: drops the lines. */
void rpc_log_to(struct log *log);

/* Of this thread since rpc_log_forget; "" if none. */
const char *rpc_log_last_error(void);
void rpc_log_forget(void);

#endif
