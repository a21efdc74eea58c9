import { expect, test } from "vitest";
import { before, sidecar, type BuiltInKind } from "../../cluster-fixtures.ts";
import { make, read, type At } from "../bench.ts";
import { digest, followed, ignore, lastDigest, migrate, track, withInit } from "./bench.ts";

export function followedContainers(at: At, kind: BuiltInKind): void {
  test.for(["True", "yes", " true", "false", "1"])("enabled %o does not follow it", async (value) => {
    const annotations = { "image-updater.eznix86.github.io/enabled": value };
    const workload = await read(at(), await make(at(), kind, { optIn: null, annotations }));
    expect(workload).toMatchObject({ digests: null, policy: { enabled: false }, problems: [] });
  });

  test.for([
    { when: "nothing is said", says: {}, names: ["app", "sidecar"] },
    { when: "one is tracked", says: track("sidecar"), names: ["sidecar"] },
    { when: "one is ignored", says: ignore(" sidecar ,"), names: ["app"] },
    { when: "both are said", says: { ...track("app"), ...ignore("app") }, names: ["app"] },
    { when: "all are ignored", says: ignore("app,sidecar"), names: [] },
    { when: "init containers count", says: withInit, names: ["app", "sidecar", "migrate"] },
    { when: "an init container is tracked", says: { ...withInit, ...track("migrate") }, names: ["migrate"] },
  ])("when $when: $names", async ({ says, names }) => {
    const { digests, problems } = await read(at(), await followed(at(), kind, { annotations: says }));
    expect(digests?.containers.map(({ name }) => name)).toEqual(names);
    expect(problems).toEqual([]);
  });

  test.for([
    {
      of: "no container",
      says: track("app,proxy"),
      problem: /track-containers "proxy": no such container.*app, sidecar/,
    },
    { of: "an init container that does not count", says: track("migrate"), problem: /"migrate": no such container/ },
    { of: "what is no digest", says: { [lastDigest]: "app:latest" }, problem: /last-digest "app:latest": must be/ },
  ])("the name $of is a problem", async ({ says, problem }) => {
    const { problems } = await read(at(), await followed(at(), kind, { annotations: says }));
    expect(problems).toEqual([expect.stringMatching(problem)]);
  });

  test("an image that cannot be read is a problem", async () => {
    const images = { sidecar: "registry.invalid/Proxy:1" };
    const { problems } = await read(at(), await followed(at(), kind, { images }));
    expect(problems).toEqual([expect.stringContaining('image "registry.invalid/Proxy:1" of container sidecar')]);
  });

  test("what its owner pinned has no tag to follow; what has no tag follows the latest", async () => {
    const images = { app: `${before}@${digest(1)}`, sidecar: "localhost:5000/proxy", migrate: `app@${digest(2)}` };
    const ref = await followed(at(), kind, { images, annotations: withInit });
    const { digests, problems, isPinned } = await read(at(), ref);
    expect(digests?.containers).toEqual([{ name: "sidecar", image: "localhost:5000/proxy" }]);
    expect({ problems, isPinned }).toEqual({ problems: [], isPinned: false });
  });

  test.for([
    { optIn: null, source: null },
    { optIn: false, source: null },
    { optIn: true, source: before },
  ])("tags are followed where auto-update is $optIn too: $source", async ({ optIn, source }) => {
    const annotations = { "image-updater.eznix86.github.io/enabled": "true" };
    const workload = await read(at(), await make(at(), kind, { optIn, annotations }));
    expect(workload).toMatchObject({ source, image: before, policy: { enabled: true }, problems: [] });
    expect(workload.digests?.containers).toEqual([
      { name: "app", image: before },
      { name: "sidecar", image: sidecar.image },
    ]);
  });
}

export function knownDigests(at: At, kind: BuiltInKind): void {
  test("at first sight nothing is known", async () => {
    const { digests, restartedAt } = await read(at(), await followed(at(), kind));
    expect(digests).toMatchObject({ last: {}, former: [], returning: null, firstSight: "restart", isHeldBack: false });
    expect(restartedAt).toBeNull();
  });

  test.for([
    {
      form: "name:digest,name:digest",
      text: `app:${digest(1)},sidecar:${digest(2)}`,
      last: { app: digest(1), sidecar: digest(2) },
    },
    { form: "a digest alone, of the first container", text: digest(1), last: { app: digest(1) } },
    { form: "of sha512 too", text: `app:sha512:${"a".repeat(128)}`, last: { app: `sha512:${"a".repeat(128)}` } },
    { form: "empty", text: "", last: {} },
  ])("last-digest as $form", async ({ text, last }) => {
    const ref = await followed(at(), kind, { annotations: { [lastDigest]: text } });
    expect(await read(at(), ref)).toMatchObject({ problems: [], digests: { last } });
    expect((await read(at(), ref)).digests?.last).toEqual(last);
  });

  test("former digests and those that return", async () => {
    const annotations = {
      "pawl.dev/former-digests": `app:${digest(1)}\napp:${digest(2)},sidecar:${digest(3)}`,
      "pawl.dev/returning-digests": `2026-11-20T12:00:00Z app:${digest(1)}`,
    };
    const { digests } = await read(at(), await followed(at(), kind, { annotations }));
    expect(digests?.former).toEqual([{ app: digest(1) }, { app: digest(2), sidecar: digest(3) }]);
    expect(digests?.returning).toEqual({ since: new Date("2026-11-20T12:00:00Z"), digests: { app: digest(1) } });
  });

  test("what Pawl pinned is followed by its tag as before, until somebody pins it to something else", async () => {
    const annotations = { ...withInit, "pawl.dev/pinned": `app:${digest(1)},migrate:${digest(2)}` };
    const images = { app: `${before}@${digest(1)}`, migrate: `${migrate}@${digest(9)}` };
    const { digests, isPinned, image } = await read(at(), await followed(at(), kind, { annotations, images }));
    expect(digests?.containers).toEqual([
      { name: "app", image: before },
      { name: "sidecar", image: sidecar.image },
    ]);
    expect({ isPinned, image }).toEqual({ isPinned: true, image: images.app });
  });
}
