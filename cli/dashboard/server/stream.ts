import type { ServerResponse } from "node:http";
import type { PageMessage } from "../model.ts";
import { toSafeJson } from "./safe-json.ts";

/** The open streams of server-sent events. */
export interface Streams {
  open(response: ServerResponse, first: readonly PageMessage[]): void;
  /** Adds a response that other streams have opened. */
  add(response: ServerResponse): void;
  isOpen(): boolean;
  publish(message: PageMessage): void;
  close(): void;
}

/** A proxy or a browser may close a stream without data. */
const keepAliveMs = 15_000;
/** A page that does not read is disconnected; it connects again and gets a snapshot. */
const maxBufferedBytes = 16 * 1024 * 1024;
/** Each open page has one. */
export const maxStreams = 32;

export function createStreams(): Streams {
  const responses = new Set<ServerResponse>();
  let isClosed = false;
  const timer = setInterval(() => send(": keep-alive\n\n"), keepAliveMs);
  timer.unref();

  function send(text: string): void {
    for (const response of responses) {
      // Other streams, of a session that has ended, may have ended it.
      if (hasEnded(response)) responses.delete(response);
      else if (response.writableLength > maxBufferedBytes) response.destroy();
      else response.write(text);
    }
  }

  function add(response: ServerResponse): void {
    if (hasEnded(response)) return;
    // The page connects again, and finds out which sessions it still has.
    if (isClosed || responses.size >= maxStreams) return void response.end();
    responses.add(response);
    response.on("close", () => responses.delete(response));
    // A client that has gone is no failure of the server.
    response.on("error", () => responses.delete(response));
  }

  return {
    open(response, first) {
      // A browser does not ask again after this status.
      if (responses.size >= maxStreams) {
        response.writeHead(429).end("too many pages are open\n");
        return;
      }
      response.writeHead(200, { "Content-Type": "text/event-stream" });
      for (const message of first) response.write(toEvent(message));
      add(response);
    },
    add,
    isOpen: () => responses.size > 0,
    publish: (message) => send(toEvent(message)),
    close() {
      isClosed = true;
      clearInterval(timer);
      for (const response of responses) response.end();
      responses.clear();
    },
  };
}

function hasEnded({ writableEnded, destroyed }: ServerResponse): boolean {
  return writableEnded || destroyed;
}

function toEvent(message: PageMessage): string {
  return `data: ${toSafeJson(message)}\n\n`;
}
