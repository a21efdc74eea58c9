import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type KubernetesObject, KubernetesObjectApi } from "@kubernetes/client-node";
import { parse } from "yaml";
import { clusterFolder, filesOf } from "../infra/cluster/manifests.ts";
import { eventually } from "../support/control-plane/eventually.ts";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findBinaries } from "../support/control-plane/binaries.ts";
import { hasBrowser, openBrowser } from "./browser.ts";
import { takePictures } from "./pictures.ts";
import { startTeamPage } from "./start-team-page.ts";
import { openViewer, send, type Viewer } from "./viewer.ts";

const canRun = hasBrowser && (findBinaries().kind === "found" || process.env["CI"] === "true");

describe.runIf(canRun)("the page of a team, on two real API servers", () => {
  let browser: Browser;
  let team: Awaited<ReturnType<typeof startTeamPage>>;
  let alice: Viewer;
  let bob: Viewer;

  beforeAll(async () => {
    browser = await openBrowser();
    team = await startTeamPage();
    alice = await openViewer(browser, team.url, "alice");
    bob = await openViewer(browser, team.url, "bob");
  }, 240_000);
  afterAll(async () => {
    await browser.close();
    await team?.close();
  });

  const own = () => ({ origin: team.url });
  const pause = { verb: "pause", target: "staging:deployment/shop/web" };

  test("shows both clusters in one list, and to each viewer only what the viewer may read", async () => {
    await alice.page.getByText("2 of 2 workloads").waitFor();
    await alice.page.getByRole("combobox", { name: "Cluster" }).selectOption("production");
    await alice.page.getByText("1 of 2 workloads").waitFor();
    await alice.page.getByRole("link", { name: "production:deployment/shop/web" }).click();
    await alice.page.getByRole("cell", { name: "pawl.dev/auto-update" }).waitFor();
    await bob.page.getByText("1 of 1 workloads").waitFor();
    await bob.page
      .getByRole("alert")
      .getByText(/production: .*forbidden: User "bob@example.com"/)
      .waitFor();
    const [status, text] = await bob.ask("/api/workload?key=production%3Adeployment%2Fshop%2Fweb");
    expect([status, text]).toEqual([404, expect.not.stringContaining("1.0.0")]);
  });

  test("the pages before and after a login have no violation of axe, and no sideways scrolling", async () => {
    const context = await browser.newContext({ ignoreHTTPSErrors: true });
    const stranger = await context.newPage();
    await stranger.goto(team.url);
    await stranger.getByRole("heading", { name: "Sign in" }).waitFor();
    expect(await takePictures(stranger, "team-sign-in")).toEqual([]);
    await context.close();
    await alice.page.goto(team.url);
    await alice.page.getByText("2 of 2 workloads").waitFor();
    expect(await takePictures(alice.page, "team-list")).toEqual([]);
    expect(await takePictures(bob.page, "team-list-one-cluster-denied")).toEqual([]);
  });

  test("its page has no token, and no cookie that a script can read", async () => {
    for (const { page, context, errors } of [alice, bob]) {
      expect(await page.evaluate("document.cookie + JSON.stringify({ ...localStorage, ...sessionStorage })")).toBe(
        "{}",
      );
      const cookies = (await context.cookies(team.url)).filter(({ name }) => name.startsWith("__Host-pawl"));
      expect(cookies.map(({ name }) => name).toSorted()).toEqual(["__Host-pawl-production", "__Host-pawl-staging"]);
      for (const cookie of cookies)
        expect(cookie).toMatchObject({
          httpOnly: true,
          secure: true,
          sameSite: "Strict",
          value: expect.stringMatching(/^[\w-]{43}$/),
        });
      // Only of the first request, before the login.
      expect(errors.filter((error) => !error.includes("401"))).toEqual([]);
    }
    for (const path of ["/", "/api/plan", "/api/workload?key=staging%3Adeployment%2Fshop%2Fweb"])
      expect((await alice.ask(path))[1]).not.toMatch(/eyJ|refresh/);
    const { headers } = await alice.page.request.get(team.url).then((response) => ({ headers: response.headers() }));
    expect(headers["content-security-policy"]).toMatch(/^default-src 'none'/);
    expect(headers["content-security-policy"]).not.toMatch(/unsafe|https?:|\*/);
    expect(headers["strict-transport-security"]).toBe("max-age=31536000");
    expect(team.log.join("\n")).not.toMatch(/eyJ/);
  });

  test("an action is done with the viewer's own rights", async () => {
    const { page } = alice;
    await page.goto(`${team.url}/#/workload/${encodeURIComponent("staging:deployment")}/shop/web`);
    await page.getByRole("button", { name: "pause", exact: true }).click();
    await page.getByText("pawl pause deployment/shop/web --context staging").waitFor();
    await page.getByRole("button", { name: "Confirm" }).click();
    await page.getByText("paused", { exact: true }).waitFor();
    expect((await team.clusters.staging.readObjects()).autoUpdate).toMatchObject({ spec: { suspend: true } });
    expect(await alice.ask("/api/action", own(), { ...pause, verb: "resume" })).toEqual([
      200,
      expect.stringContaining("resumed"),
    ]);
  });

  test.for([
    { verb: "pause", status: 403 },
    { verb: "resume", status: 200 },
    { verb: "promote", status: 200 },
    { verb: "abort", status: 200 },
    { verb: "reset", status: 200 },
    { verb: "retry", status: 403 },
    { verb: "restart", status: 403 },
    { verb: "push", argument: "1.1.0", status: 403 },
    { verb: "rollback", argument: "1", status: 200 },
  ])("$verb by a viewer without the right changes nothing: $status", async ({ verb, argument = null, status }) => {
    const before = await team.clusters.staging.readObjects();
    // What makes no sense now is refused before it is written; the API server refuses everything else.
    const refusal = status === 403 ? /User .*bob@example.com.* cannot patch/ : /"isRefused":true/;
    expect(await bob.ask("/api/action", own(), { ...pause, verb, argument })).toEqual([
      status,
      expect.stringMatching(refusal),
    ]);
    expect(await team.clusters.staging.readObjects()).toEqual(before);
  });

  test("an action on a cluster that only reads is refused, although the viewer may read it", async () => {
    const target = "production:deployment/shop/web";
    expect(await alice.ask("/api/action", own(), { ...pause, target })).toEqual([
      200,
      '{"isRefused":true,"message":"actions on production are off; set allowActions"}',
    ]);
    await alice.page.goto(`${team.url}/#/workload/${encodeURIComponent("production:deployment")}/shop/web`);
    await alice.page.getByRole("cell", { name: "pawl.dev/auto-update" }).waitFor();
    expect(await alice.page.getByRole("button", { name: "pause" }).count()).toBe(0);
  });

  test.for([
    { when: "another origin sends the cookie", headers: { origin: "https://evil.example" } },
    { when: "another port of the host does", headers: { origin: "https://127.0.0.1:1" } },
    { when: "there is no origin", headers: {} },
    { when: "the origin is null", headers: { origin: "null" } },
    { when: "the host is another name", headers: { host: "evil.example" } },
  ])("$when: 403", async ({ headers }) => {
    const before = await team.clusters.staging.readObjects();
    const given = "host" in headers ? { ...own(), ...headers } : headers;
    expect((await alice.ask("/api/action", given, pause))[0]).toBe(403);
    expect(await team.clusters.staging.readObjects()).toEqual(before);
  });

  test("a page of another port, to which the browser sends the cookie, cannot act", async () => {
    const page = await alice.context.newPage();
    await page.goto(`${team.issuer.url}/.well-known/openid-configuration`);
    const answered = page.waitForResponse(`${team.url}/api/action`);
    await page.evaluate(`{
      const form = document.createElement("form");
      Object.assign(form, { method: "POST", enctype: "text/plain", action: "${team.url}/api/action" });
      const field = document.createElement("input");
      // The body is this text: what text/plain adds is in a field that is ignored.
      Object.assign(field, { name: ${JSON.stringify(JSON.stringify(pause).replace(/}$/, ',"ignored":"'))}, value: '"}' });
      form.append(field);
      document.documentElement.append(form);
      form.submit();
    }`);
    const response = await answered;
    expect((await response.request().allHeaders())["cookie"]).toContain("__Host-pawl-staging=");
    expect([response.status(), response.request().postData()]).toEqual([
      403,
      expect.stringContaining('"verb":"pause"'),
    ]);
    expect((await team.clusters.staging.readObjects()).autoUpdate).not.toHaveProperty("spec.suspend");
    await page.close();
  });

  test("a login is refused without its own state: none, a forged one, that of another browser, that of another login", async () => {
    const context = await browser.newContext({ ignoreHTTPSErrors: true });
    const stateOf = async (login: string, by = context) => {
      const { headers } = await by.request.get(`${team.url}/login/${login}`, { maxRedirects: 0 }).then((response) => ({
        headers: response.headers(),
      }));
      return new URL(headers["location"] ?? "").searchParams.get("state") ?? "";
    };
    const callback = async (state: string) => {
      const response = await context.request.get(
        `${team.url}/callback/staging?code=any&state=${state}&iss=${team.issuer.url}`,
      );
      expect(response.headers()["set-cookie"]).not.toContain("__Host-pawl-staging");
      return [response.status(), await response.text()];
    };
    expect(await callback("forged")).toEqual([400, expect.stringContaining("has begun no login")]);
    const states = [await stateOf("production"), await stateOf("staging", bob.context), "forged", ""];
    for (const state of states) {
      await stateOf("staging");
      expect(await callback(state)).toEqual([400, expect.stringMatching(/refused: .*state/)]);
    }
    // With the right one, only the code is not valid.
    expect(await callback(await stateOf("staging"))).toEqual([400, expect.not.stringMatching(/state/)]);
    await context.close();
  });

  test("the address that an issuer returns to follows from no request", async () => {
    const response = await send(`${team.url}/login/staging?redirect_uri=https://evil.example/`, {
      headers: { host: new URL(team.url).host, "x-forwarded-host": "evil.example" },
    });
    expect(response[2]["location"]).toContain(`redirect_uri=${encodeURIComponent(`${team.url}/callback/staging`)}`);
    expect(response[2]["location"]).not.toContain("evil");
    expect(response[2]["location"]).toMatch(/code_challenge=[\w-]{43}&code_challenge_method=S256/);
  });

  describe("a token", () => {
    const past = Math.floor(Date.now() / 1000) - 7200;
    test.for([
      { what: "of the issuer, for this cluster", claims: {}, status: 200 },
      { what: "for another cluster", claims: { aud: "page-production" }, status: 401 },
      { what: "of another issuer", claims: { iss: "https://evil.example" }, status: 401 },
      { what: "that has expired", claims: { iat: past, exp: past + 3600 }, status: 401 },
      { what: "of a viewer without rights", claims: { email: "mallory@example.com" }, status: 403 },
    ])("$what: the API server answers $status", async ({ claims, status }) => {
      expect(await team.clusters.staging.readAs(team.issuer.sign("page-staging", claims))).toBe(status);
    });

    test("is not accepted by the page itself, which has only cookies", async () => {
      const authorization = `Bearer ${team.issuer.sign("page-staging")}`;
      expect((await send(`${team.url}/api/pools`, { headers: { authorization } }))[0]).toBe(401);
    });
  });

  test("its manifests are valid, and its pod is restricted as Pod Security means it", async () => {
    const folder = join(clusterFolder, "..", "team-page");
    const manifests = filesOf(folder).map((file) => parse(readFileSync(file, "utf8")) as KubernetesObject);
    const [namespace, ...others] = manifests;
    const objects = KubernetesObjectApi.makeApiClient(team.clusters.staging.kubeConfig);
    const create = (object: object, dryRun?: "All") => objects.create(object, undefined, dryRun);
    const inNamespace = (object: object) => ({ ...object, metadata: { name: "page", namespace: "pawl-team-page" } });
    await create(namespace as object);
    // Its controller does not run here.
    await create({
      apiVersion: "v1",
      kind: "ServiceAccount",
      metadata: { name: "default", namespace: "pawl-team-page" },
    });
    for (const object of others) await create(inNamespace(object), "All");
    const { spec } = others.find(({ kind }) => kind === "Deployment") as { spec?: { template: { spec: object } } };
    const pod = { apiVersion: "v1", kind: "Pod", spec: spec?.template.spec };
    await create(inNamespace(pod), "All");
    const asRoot = { ...pod.spec, securityContext: {} };
    // The API server may not know the label of a new namespace yet.
    const refusal = await eventually("a pod that may run as root is refused", () =>
      create(inNamespace({ ...pod, spec: asRoot }), "All").then(
        () => false as const,
        ({ message }: Error) => message,
      ),
    );
    expect(refusal).toContain("violates PodSecurity");
  });

  test("after signing out, the cookies of before open nothing", async () => {
    const cookie = await bob.cookies();
    const asBefore = () => send(`${team.url}/api/pools`, { headers: { cookie } });
    expect((await asBefore())[0]).toBe(200);
    await bob.page.getByRole("button", { name: "Sign out" }).click();
    await bob.page.getByRole("heading", { name: "Sign in" }).waitFor();
    expect((await asBefore()).slice(0, 2)).toEqual([401, expect.not.stringContaining("bob")]);
    // Alice is still signed in.
    expect((await alice.ask("/api/pools"))[0]).toBe(200);
  });

  test("a probe needs no session, and nothing else is served without", async () => {
    const statuses = [
      "/healthz",
      "/api/",
      "/api/stream",
      "/api/plan",
      "/login/unknown",
      "/session",
      "/callback/unknown",
    ];
    const found = await Promise.all(statuses.map(async (path) => [path, (await send(team.url + path, {}))[0]]));
    expect(found).toEqual(statuses.map((path) => [path, path === "/healthz" ? 200 : 401]));
  });
});
