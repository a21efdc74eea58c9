import type { Dispatcher } from "undici";

/** Like undici's `keepAliveTimeout`, whose timer does not run while a Lambda is frozen. */
const maxIdleMs = 4_000;

/** A reset replaces a pool that is at least so old: one host that resets everything must not cost all others their connections. */
const minAgeMs = 1_000;

/**
 * Returns the dispatcher for one request that starts now. `open` creates a pool of connections if there is none; that of another request may
 * return a pool that was used.
 */
export type ConnectionPool = (open: () => Dispatcher) => Dispatcher;

/**
 * Creates a pool that survives a freeze of the process, in which the other side may reset idle connections. A pool that was not
 * used for 4 s is replaced. A GET or HEAD that is reset before its response starts is repeated once, on a new connection.
 */
export function createConnectionPool(now: () => number = Date.now): ConnectionPool {
  let current: Dispatcher | null = null;
  let lastUsed = 0;
  let openedAt = 0;

  function use(open: () => Dispatcher): Dispatcher {
    if (now() - lastUsed > maxIdleMs) {
      void current?.close(); // after the requests in progress
      current = null;
    }
    lastUsed = now();
    if (current === null) openedAt = now();
    return (current ??= open());
  }

  return (open) => {
    const pool = use(open);
    return pool.compose((dispatch) => (options, handler) => {
      const repeat = () => {
        // The other side may have reset all its connections.
        if (current === pool && now() - openedAt >= minAgeMs) current = null;
        use(open).dispatch(options, handler);
      };
      return dispatch(options, isRepeatable(options) ? onReset(handler, repeat) : handler);
    });
  };
}

/** Whatever a write did before its connection was reset must not be done again. */
function isRepeatable({ method, body }: Dispatcher.DispatchOptions): boolean {
  return (method === "GET" || method === "HEAD") && !body;
}

/** Not undici's RetryAgent: that resumes a response in its middle, by a Range that may be of another answer. */
function onReset(handler: Dispatcher.DispatchHandler, repeat: () => void): Dispatcher.DispatchHandler {
  let hasResponse = false;
  return {
    onRequestStart: (controller, context) => handler.onRequestStart?.(controller, context),
    onRequestUpgrade: (...upgrade) => handler.onRequestUpgrade?.(...upgrade),
    onResponseStarted: () => handler.onResponseStarted?.(),
    onResponseStart(...response) {
      hasResponse = true;
      handler.onResponseStart?.(...response);
    },
    onResponseData: (controller, chunk) => handler.onResponseData?.(controller, chunk),
    onResponseEnd: (controller, trailers) => handler.onResponseEnd?.(controller, trailers),
    onResponseError(controller, error) {
      if (hasResponse || !isReset(error)) handler.onResponseError?.(controller, error);
      else repeat();
    },
  };
}

/** `UND_ERR_SOCKET`: the other side closed the connection. */
function isReset(error: Error): boolean {
  return "code" in error && ["ECONNRESET", "EPIPE", "UND_ERR_SOCKET"].includes(String(error.code));
}
