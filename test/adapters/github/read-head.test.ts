import { expect, test } from "vitest";
import { openGitHub } from "../../../functions/adapters/github/repository.ts";
import type { SendGitHub } from "../../../functions/adapters/github/send.ts";
import { appSecret } from "../../support/git/github/tokens.ts";
import { openStandIn } from "./open.ts";

const marker = '# {"$imagepolicy": "shop:web"}';
const marked = `image: app:1.0.0 ${marker}\n`;

test("files that cannot be written are skipped, each with its reason", async () => {
  const { git } = await openStandIn(
    {
      "apps/web.yaml": marked,
      "apps/link.yaml": "web.yaml",
      "apps/large.yaml": `${marked}${"# x\n".repeat(262_144)}`,
      "apps/latin.yaml": Buffer.from(`a: \u00e9 ${marker}\n`, "latin1"),
      "apps/zero.yaml": `a: "\u0000" ${marker}\n`,
      "link.yaml": "web.yaml",
    },
    { paths: ["apps"] },
    { modes: { "apps/link.yaml": "120000", "link.yaml": "120000" } },
  );
  const { files, skipped } = await git.readHead();
  expect([...files.keys()]).toEqual(["apps/web.yaml", "apps/zero.yaml"]);
  expect(Object.fromEntries(skipped)).toEqual({
    "apps/large.yaml": "it is larger than 1 MiB; move the image to a smaller file",
    "apps/latin.yaml": "it is not UTF-8; save it as UTF-8",
    "apps/link.yaml": "it is a symbolic link; name the file itself",
  });
});

test("a text that GraphQL cuts is read whole", async () => {
  const long = `${marked}${"# é\n".repeat(150_000)}`;
  const { git, host } = await openStandIn({ "web.yaml": long, "short.yaml": marked });
  expect((await git.readHead()).files.get("web.yaml")).toBe(long);
  expect(host.requests.filter((request) => request.includes("/blobs/"))).toHaveLength(1);
});

test("a tree that GitHub truncates is listed folder by folder, where the paths are", async () => {
  const files = {
    "apps/a/web.yaml": marked,
    "apps/b/web.yaml": marked,
    "docs/1.yaml": marked,
    "docs/2.yaml": marked,
    "docs/3.yaml": marked,
  };
  const { git, host } = await openStandIn(files, { paths: ["apps/*"] });
  host.state.maxTreeEntries = 4;
  expect([...(await git.readHead()).files.keys()]).toEqual(["apps/a/web.yaml", "apps/b/web.yaml"]);
  // The root twice and apps once: not docs.
  expect(host.requests.filter((request) => request.includes("/trees/"))).toHaveLength(3);
});

test("an unchanged branch costs one request, and a changed one reads what has changed", async () => {
  const { git, host } = await openStandIn(
    Object.fromEntries(Array.from({ length: 120 }, (_, index) => [`${index}.yaml`, `${marked}# ${index}\n`])),
  );
  await git.readHead();
  expect(host.requests.filter((request) => request.includes("graphql"))).toHaveLength(2);
  const before = host.requests.length;
  await git.readHead();
  expect(host.requests.slice(before)).toEqual(["GET /api/v3/repos/acme/deploy/git/ref/heads/main"]);
  await host.push({ "new.yaml": marked });
  expect((await git.readHead()).files.size).toBe(121);
  expect(host.requests.slice(before + 1)).toEqual([
    "GET /api/v3/repos/acme/deploy/git/ref/heads/main",
    expect.stringMatching(/trees/),
    "POST /api/graphql",
  ]);
});

test("a large repository is read in a few queries at once, up to 32 MiB, and again after an attempt that failed", async () => {
  const blob = (index: number) => String(index).padStart(40, "0");
  const tree = Array.from({ length: 40 }, (_, index) => ({
    path: `${String(index).padStart(2, "0")}.yaml`,
    mode: "100644",
    type: "blob",
    sha: blob(index),
    size: 1024 * 1024,
  }));
  let running = 0;
  let most = 0;
  const blobs: string[] = [];
  let failing = blob(20);
  const answer = async (url: string, body: unknown): Promise<unknown> => {
    if (url.endsWith("/installation")) return { id: 1, app_slug: "pawl" };
    if (url.endsWith("/access_tokens")) return { token: "t", expires_at: "2026-01-01T01:00:00Z" };
    if (url.includes("/git/ref/")) return { object: { sha: "c1" } };
    if (url.includes("/git/trees/")) return { truncated: false, tree };
    if (url.endsWith("/graphql")) {
      running += 1;
      most = Math.max(most, running);
      await new Promise(setImmediate);
      running -= 1;
      const aliases = JSON.stringify(body).match(/b\d+(?=: object)/g) ?? [];
      return { data: { repository: Object.fromEntries(aliases.map((alias) => [alias, { text: null }])) } };
    }
    const sha = url.slice(-40);
    blobs.push(sha);
    const text = sha === blob(7) ? marked : "a: b\n";
    return sha === failing ? null : { content: Buffer.from(text).toString("base64"), encoding: "base64" };
  };
  const send: SendGitHub = async ({ url, body }) => ({
    status: url.endsWith("/access_tokens") ? 201 : 200,
    headers: {},
    body: await answer(url, body),
  });
  const git = openGitHub({
    name: "deploy",
    mode: "commit",
    repository: "acme/deploy",
    branch: "main",
    paths: ["*"],
    secret: { get: async () => appSecret, forget: () => undefined },
    now: () => new Date("2026-01-01T00:00:00Z"),
    send,
  });
  await expect(git.readHead()).rejects.toThrow(expect.objectContaining({ name: "Unreachable" }));
  expect(blobs.length).toBeLessThan(25);
  failing = "";
  const { files, skipped } = await git.readHead();
  expect(Object.fromEntries(files)).toEqual({ "07.yaml": marked });
  expect([...skipped.keys()]).toEqual(tree.slice(32).map(({ path }) => path));
  expect(skipped.get("39.yaml")).toMatch(
    /5000 YAML files, or 32 MiB of them; narrow paths to the folders with images$/,
  );
  expect(most).toBe(4);
  // Only the file that failed, and the one behind it in its query, are read again or later.
  expect(new Set(blobs)).toEqual(new Set(tree.slice(0, 32).map(({ sha }) => sha)));
  expect(blobs).toHaveLength(33);
});
