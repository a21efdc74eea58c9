import { EnvHttpProxyAgent, request as sendRequest } from "undici";
import { parseJson } from "../../domain/text/parse-json.ts";
import { Unreachable } from "../../ports/errors.ts";
import { describeConnectionFailure } from "../connection-failure.ts";
import { createConnectionPool } from "../connection-pool.ts";

export interface GitHubRequest {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly url: string;
  readonly token: string;
  readonly body?: unknown;
}

export interface GitHubResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Null for what is no JSON. */
  readonly body: unknown;
}

/** Sends one request, and returns a response of any status. Throws `Unreachable`. */
export type SendGitHub = (request: GitHubRequest) => Promise<GitHubResponse>;

/** GitHub ends a request after ten seconds. */
const maxSeconds = 20;

/** More than a tree of 100,000 entries, which is the limit of GitHub. */
const maxBytes = 32 * 1024 * 1024;

const pool = createConnectionPool();

/** Creates a sender that follows no redirects: they would carry the token. Messages name the host only. */
export function createSender(seconds = maxSeconds): SendGitHub {
  return async ({ method, url, token, body }) => {
    const { host } = new URL(url);
    try {
      const response = await sendRequest(url, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          accept: "application/vnd.github+json",
          "x-github-api-version": "2022-11-28",
          "user-agent": "pawl",
          ...(body === undefined ? {} : { "content-type": "application/json" }),
        },
        body: body === undefined ? null : JSON.stringify(body),
        signal: AbortSignal.timeout(seconds * 1000),
        dispatcher: pool(() => new EnvHttpProxyAgent({ proxyTunnel: true })),
      });
      const { statusCode: status, headers } = response;
      return { status, headers, body: parseJson(await readText(response.body)) };
    } catch (error) {
      throw new Unreachable(`${host} does not answer: ${describeConnectionFailure(error)}`, { cause: error });
    }
  };
}

async function readText(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size > maxBytes) throw new Error("the response is too large"); // destroys it
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}
