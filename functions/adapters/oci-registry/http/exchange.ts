import type { Dispatcher } from "undici";

/** One request, and its response as it was sent: a body may be compressed. */
export interface Exchange {
  readonly response: Promise<RawResponse>;
  /** Ends it by an error, also while it waits for a connection. */
  readonly cancel: (error: Error) => void;
}

export interface RawResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly chunks: readonly Uint8Array[];
}

/**
 * Called for each chunk of a body with this status. The next one is received once what it returns has resolved; none is after "enough".
 * The exchange fails with what it throws.
 */
export type OnChunk = (bytes: number, status: number) => Promise<void> | void | "enough";

/**
 * Sends a request by the interface of undici that its `request` and `fetch` use. What they put on top, a stream for each response, takes
 * a fifth of the CPU time of a poll (measured by `bench/poll`).
 */
export function startExchange(dispatcher: Dispatcher, options: Dispatcher.DispatchOptions, onChunk: OnChunk): Exchange {
  const { promise: response, resolve, reject } = Promise.withResolvers<RawResponse>();
  const chunks: Uint8Array[] = [];
  let [status, headers]: [number, RawResponse["headers"]] = [0, {}];
  let connection: Dispatcher.DispatchController | null = null;
  let ended: Error | null = null;

  function cancel(error: Error): void {
    ended ??= error;
    reject(error);
    connection?.abort(error);
  }

  dispatcher.dispatch(options, {
    onRequestStart(controller) {
      connection = controller;
      if (ended !== null) controller.abort(ended);
    },
    onResponseStart(_controller, code, received) {
      [status, headers] = [code, received];
    },
    onResponseData(controller, chunk) {
      // undici sends an empty one each time that it resumes in the middle of a body. To pause for it would resume for ever.
      if (chunk.byteLength === 0) return;
      chunks.push(chunk);
      const next = onChunk(chunk.byteLength, status);
      if (next === "enough") {
        resolve({ status, headers, chunks });
        controller.abort(new Error("the rest is not needed"));
      } else if (next !== undefined) {
        controller.pause();
        next.then(() => controller.resume(), cancel);
      }
    },
    onResponseEnd: () => resolve({ status, headers, chunks }),
    onResponseError: (_controller, error) => reject(error),
  });
  return { response, cancel };
}
