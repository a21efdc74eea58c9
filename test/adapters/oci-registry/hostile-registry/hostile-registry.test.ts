import { afterAll, expect, test } from "vitest";
import { basicAuthorization } from "../../../../functions/adapters/oci-registry/credentials/credentials.ts";
import {
  createAdapter,
  catchError,
  imageAt,
  json,
  login,
  secret,
  shortTimeout,
  startScriptedServer,
} from "../scripted-server.ts";
import { bodyCases } from "./bodies.ts";
import { digestCases } from "./digests.ts";
import { redirectCases } from "./redirects.ts";
import { sendChallenge, type HostileCase } from "./case.ts";
import { authenticationCases } from "./authentication.ts";
import { paginationCases } from "./pagination.ts";

const limits = { pages: 5, responseBytes: 20_000, listingBytes: 30_000, tagsPerRepository: 2000 };
/** For one operation: a login, all pages, or all redirects. */
const maxRequests = 8;

/** Starts another host, which answers like a registry and records its requests. */
function startOtherHost() {
  return startScriptedServer(({ path }, response) => {
    if (path === "/asks") sendChallenge(response, "Basic");
    else if (path.startsWith("/back?")) response.writeHead(307, { location: `http://${path.slice(6)}/v2/` }).end();
    else json(response, { token: "t", tags: ["9.9.9"] });
  });
}

const cases = [...paginationCases, ...bodyCases, ...digestCases, ...redirectCases, ...authenticationCases];

afterAll(() => void process.stdout.write(`hostile registries: ${cases.length} cases\n`));

// Every operation runs twice: what the first one cached must not change the second result.
test.for<HostileCase>(cases)(
  "$when: $expected",
  async ({ expected, reason = "", respond, image = {}, method = "listTags" }) => {
    await using trusted = await startOtherHost();
    await using untrusted = await startOtherHost();
    const others = { trusted: trusted.host, untrusted: untrusted.host };
    await using server = await startScriptedServer((request, response, host) =>
      respond(response, request, host, others),
    );
    const registry = createAdapter([server.host, trusted.host], {
      credentials: async () => login,
      limits: { ...limits, ...(expected === "Unreachable" ? { ...shortTimeout, operationSeconds: 1 } : {}) },
    });
    const isError = typeof expected === "string";
    for (const attempt of [1, 2]) {
      const outcome = await catchError(registry[method](imageAt(server.host, image)));
      expect(outcome.name).toBe(isError ? expected : "no error");
      expect(outcome.message).toContain(isError ? `${server.host}/team/app` : JSON.stringify(expected));
      expect(outcome.message).toContain(reason);
      expect(outcome.message + outcome.logged).not.toContain(secret);
      expect(outcome.message + outcome.logged).not.toContain(basicAuthorization(login.username, secret).slice(6));
      expect(server.requests.length).toBeLessThanOrEqual(attempt * maxRequests);
    }
    expect(trusted.requests.filter(({ authorization }) => authorization !== null)).toEqual([]);
    expect(trusted.requests.map(({ path, body }) => path + body).join()).not.toContain(secret);
    expect(untrusted.requests).toEqual([]);
  },
);
