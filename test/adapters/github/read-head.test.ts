import { expect, test } from "vitest";
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
