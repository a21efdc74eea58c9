import type { IncomingMessage } from "node:http";
import { readText } from "../../read-text.ts";
import { badRequest, RequestRefused } from "../failure.ts";
import { isFields, type Draft } from "../objects.ts";

/** The limit of etcd's requests and of kube-apiserver's resources. */
const largestBodyBytes = 3 * 1024 * 1024;

/** The body as JSON; undefined where there is none. Throws 400 or 413. */
export async function readJson(request: IncomingMessage): Promise<unknown> {
  const text = await readText(request, largestBodyBytes);
  if (text === null) throw tooLarge();
  if (text.trim() === "") return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw badRequest(`the object provided is unrecognized: ${(error as Error).message}`);
  }
}

/** A whole object as somebody sends it. Throws 400 where it is none. */
export function asDraft(body: unknown): Draft {
  const metadata = isFields(body) ? body["metadata"] : undefined;
  if (!isFields(body) || (metadata !== undefined && !isFields(metadata))) {
    throw badRequest("the object provided is unrecognized: it is not an object with metadata");
  }
  return body;
}

export function mediaTypeOf(request: IncomingMessage): string {
  return (request.headers["content-type"] ?? "").split(";")[0]?.trim() ?? "";
}

function tooLarge(): RequestRefused {
  const message = `Request entity too large: limit is ${largestBodyBytes}`;
  return new RequestRefused(413, "RequestEntityTooLarge", message, {});
}
