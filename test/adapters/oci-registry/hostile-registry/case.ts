import type { ServerResponse } from "node:http";
import type { ImageReference } from "../../../../functions/domain/image/reference.ts";
import { json, type ReceivedRequest } from "../scripted-server.ts";

export type ExpectedError =
  | "RegistryAnswerInvalid"
  | "RegistryUnauthorized"
  | "RepositoryNotFound"
  | "Throttled"
  | "Unreachable";

/** Hosts that a hostile registry refers to. None of them may receive a login. */
export interface OtherHosts {
  /** Plain HTTP is allowed for it, as for the registry itself. */
  readonly trusted: string;
  /** Not one of the insecure hosts. */
  readonly untrusted: string;
}

/** What a registry does, and the expected result: an error of this name, or exactly this value. */
export interface HostileCase {
  readonly when: string;
  readonly expected: ExpectedError | readonly string[];
  /** Part of the message of the error. */
  readonly reason?: string;
  /** The default is "listTags". */
  readonly method?: "listTags" | "digestOf" | "digestsOf";
  readonly image?: Partial<ImageReference>;
  readonly respond: (response: ServerResponse, request: ReceivedRequest, host: string, others: OtherHosts) => unknown;
}

export const completeList = { name: "team/app", tags: ["1.0.0"] };

export function sendText(
  response: ServerResponse,
  body: string,
  headers: Record<string, string> = {},
  status = 200,
): void {
  response.writeHead(status, headers).end(body);
}

/** Sends a page of tags that links to another. */
export function sendPage(response: ServerResponse, tags: unknown, next: string): void {
  json(response, { tags }, { link: `<${next}>; rel="next"` });
}

/** Writes bytes that are not a valid HTTP response. */
export function writeRaw(response: ServerResponse, ...lines: readonly string[]): void {
  response.socket?.end(lines.join("\r\n"));
}

/** Writes repeatedly until the connection closes. */
export function writeForever(response: ServerResponse, chunk: string | Buffer, everyMilliseconds: number): void {
  const writing = setInterval(() => response.write(chunk), everyMilliseconds);
  response.on("close", () => clearInterval(writing));
}

export function sendChallenge(response: ServerResponse, value: string): void {
  json(response, { errors: [{ code: "UNAUTHORIZED" }] }, { "www-authenticate": value }, 401);
}
