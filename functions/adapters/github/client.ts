import * as v from "valibot";
import { Unreachable } from "../../ports/errors.ts";
import type { ExpiringCache } from "../expiring-cache.ts";
import type { AppAccess } from "./app-access.ts";
import { type GraphqlError, limitSeconds, mapResponseError } from "./errors.ts";
import type { GitHubRequest, GitHubResponse, SendGitHub } from "./send.ts";

/** Requests to one repository. */
export interface GitHubClient {
  /** OWNER/NAME. */
  readonly repository: string;
  readonly now: () => Date;
  /** Returns the login of what the App opens. */
  login(): Promise<string>;
  /** Requests a path below the repository, such as `/pulls`, and returns a response of any status. */
  rest(method: GitHubRequest["method"], path: string, body?: unknown): Promise<GitHubResponse>;
  /** The same, and returns its body. Throws if it is no success, or not of this schema. */
  read<Schema extends v.GenericSchema>(schema: Schema, path: string): Promise<v.InferOutput<Schema>>;
  /** Returns `data` and the first error of a query. */
  graphql(query: string, variables: object): Promise<{ readonly data: unknown; readonly error: GraphqlError | null }>;
}

const graphqlAnswer = v.object({
  data: v.optional(v.unknown()),
  errors: v.optional(v.array(v.object({ type: v.optional(v.string()), message: v.optional(v.string()) }))),
});

export function createGitHubClient(
  {
    apiUrl,
    repository,
    access,
    now,
  }: {
    readonly apiUrl: string;
    readonly repository: string;
    readonly access: ExpiringCache<AppAccess>;
    readonly now: () => Date;
  },
  send: SendGitHub,
): GitHubClient {
  /** A token that was revoked is fetched again once. */
  async function sendWithToken(request: Omit<GitHubRequest, "token">): Promise<GitHubResponse> {
    const used = await access.get();
    const response = await send({ ...request, token: used.token });
    if (response.status !== 401) return response;
    access.forget(used);
    const { token } = await access.get();
    return send({ ...request, token });
  }

  const rest = (method: GitHubRequest["method"], path: string, body?: unknown) =>
    sendWithToken({ method, url: `${apiUrl}/repos/${repository}${path}`, body });

  return {
    repository,
    now,
    login: async () => (await access.get()).login,
    rest,
    async read(schema, path) {
      const response = await rest("GET", path);
      if (response.status !== 200) throw mapResponseError(response, repository, now());
      return parse(schema, response.body, repository);
    },
    async graphql(query, variables) {
      // GitHub Enterprise Server has /api/v3 and /api/graphql.
      const url = `${apiUrl.replace(/\/v3$/, "")}/graphql`;
      const response = await sendWithToken({ method: "POST", url, body: { query, variables } });
      if (response.status !== 200) throw mapResponseError(response, repository, now());
      const { data, errors = [] } = parse(graphqlAnswer, response.body, repository);
      const [error] = errors;
      const waitSeconds = limitSeconds(response.headers, now());
      return { data, error: error === undefined ? null : { ...error, waitSeconds } };
    },
  };
}

/** Throws `Unreachable` for what is not the API of GitHub, such as a page of a proxy. */
export function parse<Schema extends v.GenericSchema>(
  schema: Schema,
  body: unknown,
  subject: string,
): v.InferOutput<Schema> {
  const parsed = v.safeParse(schema, body);
  if (parsed.success) return parsed.output;
  throw new Unreachable(`${subject}: the response is not one of GitHub; check apiUrl, such as https://HOST/api/v3`);
}

/** Encodes a path or the name of a branch, whose slashes stay. */
export function escapePath(text: string): string {
  return text.split("/").map(encodeURIComponent).join("/");
}
