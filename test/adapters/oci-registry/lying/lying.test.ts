import { expect, test } from "vitest";
import { basicHeader } from "../../../../functions/adapters/oci-registry/credentials.ts";
import { adapterFor, failureOf, imageOn, json, login, scripted, secret } from "../scripted.ts";
import { liesInBodies } from "./bodies.ts";
import { liesAboutDigests } from "./digests.ts";
import { liesElsewhere } from "./elsewhere.ts";
import { challenge, type Lie } from "./lie.ts";
import { liesAboutLogins } from "./logins.ts";
import { liesAboutPages } from "./pages.ts";

const limits = { operationSeconds: 1, pages: 5, answerBytes: 20_000, listingBytes: 30_000 };
/** For one question: a login, or all pages, or all redirects. */
const mostRequests = 8;

/** Another host, which answers as a registry would and remembers what it was sent. */
function bystander() {
  return scripted(({ path }, response) => {
    if (path === "/asks") challenge(response, "Basic");
    else if (path.startsWith("/back?")) response.writeHead(307, { location: `http://${path.slice(6)}/v2/` }).end();
    else json(response, { token: "t", tags: ["9.9.9"] });
  });
}

// Every registry is asked twice: what it said the first time must not make the second answer worse.
test.for<Lie>([...liesAboutPages, ...liesInBodies, ...liesAboutDigests, ...liesElsewhere, ...liesAboutLogins])(
  "$when: $promise",
  async ({ promise, lies, of = {}, ask = "listTags" }) => {
    await using friend = await bystander();
    await using stranger = await bystander();
    const elsewhere = { friend: friend.host, stranger: stranger.host };
    await using server = await scripted((heard, response, host) => lies(response, heard, host, elsewhere));
    const registry = adapterFor([server.host, friend.host], { credentials: async () => login, limits });
    const isError = typeof promise === "string";
    for (const asked of [1, 2]) {
      const outcome = await failureOf(registry[ask](imageOn(server.host, of)));
      expect(outcome.name).toBe(isError ? promise : "no error");
      expect(outcome.message).toContain(isError ? `${server.host}/team/app` : JSON.stringify(promise));
      expect(outcome.message + outcome.logged).not.toContain(secret);
      expect(outcome.message + outcome.logged).not.toContain(basicHeader(login.username, secret).slice(6));
      expect(server.heard.length).toBeLessThanOrEqual(asked * mostRequests);
    }
    expect(friend.heard.filter(({ authorization }) => authorization !== null)).toEqual([]);
    expect(friend.heard.map(({ path, body }) => path + body).join()).not.toContain(secret);
    expect(stranger.heard).toEqual([]);
  },
);
