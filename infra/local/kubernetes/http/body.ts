import type { IncomingMessage } from "node:http";
import { readText } from "../../read-text.ts";
import { badRequest, ApiError } from "../api-errors.ts";
import { isFields, type KubeObjectInput } from "../objects.ts";

/** The request limit of kube-apiserver. */
const maxBodyBytes = 3 * 1024 * 1024;

/** Parses the body as JSON; undefined if it is empty. Throws 400 or 413. */
export async function readJson(request: IncomingMessage): Promise<unknown> {
  const text = await readText(request, maxBodyBytes);
  if (text === null) throw tooLarge();
  if (text.trim() === "") return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw badRequest(`the object provided is unrecognized: ${(error as Error).message}`);
  }
}

/** Returns the body as an object. Throws 400 if it is not one. */
export function parseObject(body: unknown): KubeObjectInput {
  const metadata = isFields(body) ? body["metadata"] : undefined;
  if (!isFields(body) || (metadata !== undefined && !isFields(metadata))) {
    throw badRequest("the object provided is unrecognized: it is not an object with metadata");
  }
  return body;
}

export function mediaTypeOf(request: IncomingMessage): string {
  return (request.headers["content-type"] ?? "").split(";")[0]?.trim() ?? "";
}

function tooLarge(): ApiError {
  const message = `Request entity too large: limit is ${maxBodyBytes}`;
  return new ApiError(413, "RequestEntityTooLarge", message, {});
}
