import { generateKeyPairSync } from "node:crypto";
import { expect, test } from "vitest";
import { appSecret } from "../../support/git/github/tokens.ts";
import { openDeploy, openStandIn } from "./open.ts";

const files = { "web.yaml": "a: 1\n" };
const minutes = (count: number) => new Date(Date.UTC(2026, 0, 1, 0, count));

test.for([
  { mode: "commit", permissions: { contents: "write" } },
  { mode: "pullRequest", permissions: { contents: "write", pull_requests: "write" } },
] as const)("a token is for one repository, and in mode $mode for what it needs", async ({ mode, permissions }) => {
  const { git, host } = await openStandIn(files, { mode });
  await Promise.all([git.readHead(), git.readHead()]);
  expect(host.tokens.issued()).toMatchObject([{ repositories: ["deploy"], permissions }]);
});

test("a token is used until five minutes before its end, and one that is revoked is replaced", async () => {
  const { git, host, clock } = await openStandIn(files);
  for (const { at, issued } of [
    { at: 0, issued: 1 },
    { at: 54, issued: 1 },
    { at: 55, issued: 2 },
  ]) {
    clock.now = minutes(at);
    await git.readHead();
    expect(host.tokens.issued()).toHaveLength(issued);
  }
  host.tokens.revoke();
  await git.readHead();
  expect(host.tokens.issued()).toHaveLength(1);
});

test.for([
  {
    when: "no App",
    secret: "password",
    error: { name: "SecretUnreadable", message: expect.stringContaining('{"appId":') },
  },
  {
    when: "no key",
    secret: '{"appId": 4711, "privateKey": "no-key"}',
    error: { name: "SecretUnreadable", message: expect.stringContaining("has no private key in PEM") },
  },
  {
    when: "the key of another App",
    secret: JSON.stringify({
      appId: 4711,
      privateKey: generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey.export({
        type: "pkcs8",
        format: "pem",
      }),
    }),
    error: { name: "Forbidden", message: expect.stringContaining("check the App's id and its private key") },
  },
])("a secret with $when is named, and never printed", async ({ secret, error }) => {
  const { git } = await openStandIn(files, {}, { secret: async () => secret });
  const failed = await git.readHead().then(
    () => null,
    (reason: unknown) => reason as Error,
  );
  expect(failed).toMatchObject(error);
  expect(failed?.message).not.toMatch(/password|no-key|BEGIN/);
});

test("a secret that was replaced is read again when GitHub rejects it", async () => {
  const other = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey.export({ type: "pkcs8", format: "pem" });
  let current = JSON.stringify({ appId: 4711, privateKey: other });
  const { git, clock } = await openStandIn(files, {}, { secret: async () => current });
  await expect(git.readHead()).rejects.toThrow(expect.objectContaining({ name: "Forbidden" }));
  current = appSecret;
  clock.now = minutes(1);
  expect(await git.readHead()).toMatchObject({ skipped: new Map() });
});

test.for([
  { when: "not installed", permissions: null, message: "is not installed there" },
  {
    when: "installed without the right to pull requests",
    permissions: { contents: "write" },
    message: "has not all of contents, pull_requests",
  },
])("an App that is $when is Forbidden", async ({ permissions, message }) => {
  const { git, host } = await openStandIn(files, { mode: "pullRequest" });
  host.permissions = permissions;
  await expect(git.readHead()).rejects.toThrow(
    expect.objectContaining({ name: "Forbidden", message: expect.stringContaining(message) as string }),
  );
});

test("a token is not sent in clear text", () => {
  const open = () => openDeploy({ apiUrl: "http://git.example.com/api/v3" });
  expect(open).toThrow(expect.objectContaining({ name: "GitRefused" }));
});
