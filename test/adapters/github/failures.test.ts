import { describe, expect, test } from "vitest";
import type { GitChange, GitRepository } from "../../../functions/ports/git-repository.ts";
import type { Answer } from "../../support/git/github/routes.ts";
import type { SendGitHub } from "../../../functions/adapters/github/send.ts";
import { openDeploy, openStandIn } from "./open.ts";

const marked = 'image: app:1.0.0 # {"$imagepolicy": "shop:web"}\n';
const files = { "web.yaml": marked };

async function changeOf(git: GitRepository): Promise<GitChange> {
  const { commit } = await git.readHead();
  return { expectedHead: commit, files: new Map([["web.yaml", "image: app:2\n"]]), headline: "shop/web", body: "" };
}

/** Opens a repository whose host answers everything behind its login in this way. */
function answering({ status, body = "<html>", headers = {} }: Answer): GitRepository {
  const send: SendGitHub = async ({ url }) => {
    if (url.endsWith("/installation")) return { status: 200, headers: {}, body: { id: 1, app_slug: "pawl" } };
    if (url.endsWith("/access_tokens"))
      return { status: 201, headers: {}, body: { token: "t", expires_at: "2026-01-01T01:00:00Z" } };
    return { status, headers, body };
  };
  return openDeploy({ send });
}

const limited = "You have exceeded a secondary rate limit. Please wait a few minutes before you try again.";
const reset = String(new Date("2026-01-01T00:07:00Z").getTime() / 1000);

describe("an answer of GitHub", () => {
  test.for<{ readonly when: string; readonly fault: Answer; readonly error: object }>([
    {
      when: "500",
      fault: { status: 500, body: { message: "oops" } },
      error: { name: "Unreachable", message: "acme/deploy: GitHub answered 500: oops" },
    },
    {
      when: "a page of a proxy",
      fault: { status: 200 },
      error: { name: "Unreachable", message: expect.stringContaining("check apiUrl") },
    },
    {
      when: "a primary limit",
      fault: {
        status: 403,
        body: { message: "API rate limit exceeded" },
        headers: { "x-ratelimit-remaining": "0", "x-ratelimit-reset": reset },
      },
      error: { name: "Throttled", retryAfterSeconds: 420 },
    },
    {
      when: "a secondary limit with a time",
      fault: { status: 403, body: { message: limited }, headers: { "retry-after": "7" } },
      error: { name: "Throttled", retryAfterSeconds: 7 },
    },
    {
      when: "a secondary limit without a time",
      fault: { status: 403, body: { message: limited } },
      error: { name: "Throttled", retryAfterSeconds: 60 },
    },
    { when: "429", fault: { status: 429 }, error: { name: "Throttled", retryAfterSeconds: 60 } },
    {
      when: "403",
      fault: { status: 403, body: { message: "Resource not accessible by integration" } },
      error: { name: "Forbidden", message: expect.stringContaining("give the App the permissions") },
    },
    {
      when: "404",
      fault: { status: 404, body: { message: "Not Found" } },
      error: { name: "Forbidden", message: expect.stringContaining("install the App") },
    },
    {
      when: "a repository that was renamed",
      fault: { status: 301, headers: { location: "https://other.test/" } },
      error: { name: "GitRefused", message: expect.stringContaining("write its new name") },
    },
    {
      when: "an empty repository",
      fault: { status: 409, body: { message: "Git Repository is empty." } },
      error: { name: "GitRefused", message: expect.stringContaining("Git Repository is empty.") },
    },
    {
      when: "a rule",
      fault: { status: 422, body: { message: "Repository rule violations found" } },
      error: { name: "GitRefused", message: expect.stringContaining("mode: pullRequest") },
    },
  ])("to a request of REST: $when", async ({ fault, error }) => {
    await expect(answering(fault).readHead()).rejects.toThrow(expect.objectContaining(error));
  });

  test.for([
    { type: "RATE_LIMITED", message: "API rate limit exceeded", error: { name: "Throttled", retryAfterSeconds: 60 } },
    {
      type: "RATE_LIMITED",
      message: "API rate limit exceeded",
      headers: { "x-ratelimit-remaining": "0", "x-ratelimit-reset": reset },
      error: { name: "Throttled", retryAfterSeconds: 420 },
    },
    {
      type: undefined,
      message: limited,
      headers: { "retry-after": "7" },
      error: { name: "Throttled", retryAfterSeconds: 7 },
    },
    {
      type: "BRANCH_PROTECTION_RULE_VIOLATION",
      message: "Changes must be made",
      error: { name: "GitRefused", message: expect.stringContaining("mode: pullRequest") },
    },
    {
      type: "UNPROCESSABLE",
      message: "Repository rule violations found\n\nChanges must be made through a pull request.",
      error: { name: "GitRefused", message: expect.stringContaining("bypass this rule") },
    },
    {
      type: "UNPROCESSABLE",
      message: "A path is invalid",
      error: { name: "GitRefused", message: expect.stringContaining("correct the repository") },
    },
    {
      type: "FORBIDDEN",
      message: "Resource not accessible by integration",
      error: { name: "Forbidden", message: expect.stringContaining("contents") },
    },
    {
      type: "NOT_FOUND",
      message: "Could not resolve to a Repository",
      error: { name: "Forbidden", message: expect.stringContaining("check the name") },
    },
    { type: undefined, message: "Something went wrong while executing your query.", error: { name: "Unreachable" } },
  ])("to a commit: $type $message", async ({ type, message, headers = {}, error }) => {
    const body = { data: { createCommitOnBranch: null }, errors: [{ type, message }] };
    const change = { expectedHead: "0", files: new Map([["web.yaml", ""]]), headline: "", body: "" };
    await expect(answering({ status: 200, body, headers }).commit(change)).rejects.toThrow(
      expect.objectContaining(error),
    );
  });

  test("that does not come is Unreachable", async () => {
    const { git, host } = await openStandIn(files);
    // A GET whose connection is lost is repeated once.
    host.fail(/installation/, "reset");
    host.fail(/installation/, "reset");
    await expect(git.readHead()).rejects.toThrow(expect.objectContaining({ name: "Unreachable" }));
    host.fail(/installation/, "reset");
    expect([...(await git.readHead()).files.keys()]).toEqual(["web.yaml"]);
  });

  test("that is lost after a commit is found at the next head, and nothing is written twice", async () => {
    const { git, host } = await openStandIn(files);
    const change = await changeOf(git);
    host.fail(/graphql/, "reset-after");
    await expect(git.commit(change)).rejects.toThrow(expect.objectContaining({ name: "Unreachable" }));
    expect(await git.commit(change)).toEqual({ kind: "moved" });
    expect(await host.log()).toEqual(["shop/web", "initial"]);
    expect(await host.read("web.yaml")).toBe("image: app:2\n");
  });

  test("is no file outside of paths", async () => {
    const { git, host } = await openStandIn(files, { paths: ["apps"] });
    const change = await changeOf(git);
    for (const write of [git.commit(change), git.propose({ ...change, branch: "pawl/x" })])
      await expect(write).rejects.toThrow(
        expect.objectContaining({
          name: "GitRefused",
          message: "acme/deploy: web.yaml is not in paths of the deployment; add it there",
        }),
      );
    expect(host.requests.filter((request) => /^(?:POST|PATCH) \S*(?:refs|pulls)/.test(request))).toEqual([]);
  });
});

describe("a process that is killed at a call", () => {
  const calls = [/POST \S*\/git\/refs/, /POST \S*graphql/, /POST \S*\/pulls/];
  test.for(calls.flatMap((call) => (["reset", "reset-after"] as const).map((fault) => ({ call, fault }))))(
    "$call of a proposal, $fault: the next one completes it",
    async ({ call, fault }) => {
      const { git, host } = await openStandIn(files, { mode: "pullRequest" });
      const change = { ...(await changeOf(git)), branch: "pawl/one" };
      host.fail(call, fault);
      await expect(git.propose(change)).rejects.toThrow(expect.objectContaining({ name: "Unreachable" }));
      // The branch has moved meanwhile: what is proposed is the same.
      await host.push({ "other.yaml": "a: 1\n" });
      const next = { ...change, expectedHead: (await git.readHead()).commit };
      const opened = await git.propose(next);
      expect(await git.propose(next)).toEqual(opened);
      expect(host.state.pulls).toMatchObject([{ number: opened.number, state: "open", head: "pawl/one" }]);
      await host.merge(opened.number);
      expect(await host.read("web.yaml")).toBe("image: app:2\n");
      expect(await host.read("other.yaml")).toBe("a: 1\n");
    },
  );

  test.for([/PATCH \S*pulls/, /DELETE/])("%s of a close: the next one completes it", async (call) => {
    const { git, host } = await openStandIn(files, { mode: "pullRequest" });
    const change = { ...(await changeOf(git)), branch: "pawl/one" };
    const { url } = await git.propose(change);
    host.fail(call, "reset-after");
    await expect(git.closeProposal(url, "1.2.0 takes its place")).rejects.toThrow(
      expect.objectContaining({ name: "Unreachable" }),
    );
    await git.closeProposal(url, "1.2.0 takes its place");
    expect(host.state.pulls).toMatchObject([{ state: "closed" }]);
    expect(host.state.pulls[0]?.body?.match(/1\.2\.0 takes its place/g)).toHaveLength(1);
    expect(await git.propose(change)).toMatchObject({ state: "open", number: 2 });
  });
});
