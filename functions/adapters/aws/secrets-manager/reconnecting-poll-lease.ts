import type { PollLease } from "../../../ports/poll-lease.ts";
import { type ConnectionSource, withReconnect } from "./reconnecting.ts";

/** Creates a lease whose kubeconfig is rotated: a call that gets a 401 is repeated with the next kubeconfig. */
export function reconnectingPollLease(source: ConnectionSource<PollLease>): PollLease {
  const connection = withReconnect(source);
  return {
    acquire: (poll) => connection.call((lease) => lease.acquire(poll)),
    release: (poll) => connection.call((lease) => lease.release(poll)),
  };
}
