import type { ServerResponse } from "node:http";
import type { ImageReference } from "../../../../functions/domain/image-reference.ts";
import { json, type Heard } from "../scripted.ts";

export type Promised = "RegistryAnswerInvalid" | "RegistryRefused" | "RepositoryNotFound" | "Throttled" | "Unreachable";

/** Whom a lying registry may lead to. None of them is to see a login. */
export interface Elsewhere {
  /** Spoken to over plain HTTP, as the registry itself. */
  readonly friend: string;
  /** Not named among the insecure hosts. */
  readonly stranger: string;
}

/** What a registry does, and what comes of it: an error of this name, or what it said and nothing else. */
export interface Lie {
  readonly when: string;
  readonly promise: Promised | readonly string[];
  /** "listTags" unless it says otherwise. */
  readonly ask?: "listTags" | "digestOf" | "digestsOf";
  readonly of?: Partial<ImageReference>;
  readonly lies: (response: ServerResponse, heard: Heard, host: string, elsewhere: Elsewhere) => unknown;
}

export const whole = { name: "team/app", tags: ["1.0.0"] };

export function text(response: ServerResponse, body: string, headers: Record<string, string> = {}, status = 200): void {
  response.writeHead(status, headers).end(body);
}

/** A page of tags that names another. */
export function page(response: ServerResponse, tags: unknown, next: string): void {
  json(response, { tags }, { link: `<${next}>; rel="next"` });
}

/** What no HTTP server would say. */
export function raw(response: ServerResponse, ...lines: readonly string[]): void {
  response.socket?.end(lines.join("\r\n"));
}

/** Writes again and again until nobody listens. */
export function endlessly(response: ServerResponse, chunk: string, everyMilliseconds: number): void {
  const writing = setInterval(() => response.write(chunk), everyMilliseconds);
  response.on("close", () => clearInterval(writing));
}

export function challenge(response: ServerResponse, value: string): void {
  json(response, { errors: [{ code: "UNAUTHORIZED" }] }, { "www-authenticate": value }, 401);
}
