import { expect, test } from "vitest";
import { before, sidecar, type BuiltInKind } from "../../cluster-fixtures.ts";
import { createAutoUpdate, patchStatus } from "../auto-update/harness.ts";
import { createWorkload, read, type At } from "../harness.ts";
import { digest, createTracked, ignore, lastDigest, migrate, track, withInit } from "./harness.ts";
import { textsOf } from "../../../support/problems.ts";

export function testTrackedContainers(at: At, kind: BuiltInKind): void {
  test.for(["True", "yes", " true", "false", "1"])("enabled %o does not track it", async (value) => {
    const annotations = { "image-updater.eznix86.github.io/enabled": value };
    const workload = await read(at(), await createWorkload(at(), kind, { optIn: null, annotations }));
    expect(workload).toMatchObject({ digests: null, policy: { optIn: "no" }, problems: [] });
  });

  test.for([
    { when: "there is no selection", annotations: {}, names: ["app", "sidecar"] },
    { when: "one is tracked", annotations: track("sidecar"), names: ["sidecar"] },
    { when: "one is ignored", annotations: ignore(" sidecar ,"), names: ["app"] },
    { when: "both are set", annotations: { ...track("app"), ...ignore("app") }, names: ["app"] },
    { when: "all are ignored", annotations: ignore("app,sidecar"), names: [] },
    { when: "init containers are enabled", annotations: withInit, names: ["app", "sidecar", "migrate"] },
    { when: "an init container is tracked", annotations: { ...withInit, ...track("migrate") }, names: ["migrate"] },
  ])("if $when: $names", async ({ annotations, names }) => {
    const { digests, problems } = await read(at(), await createTracked(at(), kind, { annotations }));
    expect(digests?.containers.map(({ name }) => name)).toEqual(names);
    expect(problems).toEqual([]);
  });

  test.for([
    {
      value: "a missing container",
      annotations: track("app,proxy"),
      problem: /track-containers "proxy": no such container.*app, sidecar/,
    },
    {
      value: "an init container that is not enabled",
      annotations: track("migrate"),
      problem: /"migrate": no such container/,
    },
    {
      value: "an invalid digest",
      annotations: { [lastDigest]: "app:latest" },
      problem: /last-digest "app:latest": must be/,
    },
  ])("$value is a problem", async ({ annotations, problem }) => {
    const { problems } = await read(at(), await createTracked(at(), kind, { annotations }));
    expect(textsOf(problems)).toEqual([expect.stringMatching(problem)]);
  });

  test("an invalid image is a problem", async () => {
    const images = { sidecar: "registry.invalid/Proxy:1" };
    const { problems } = await read(at(), await createTracked(at(), kind, { images }));
    expect(textsOf(problems)).toEqual([
      expect.stringContaining('image "registry.invalid/Proxy:1" of container sidecar'),
    ]);
  });

  test("an image with only a digest is not tracked, one with a tag beside it is; an image with neither tracks latest", async () => {
    const images = { app: `${before}@${digest(1)}`, sidecar: "localhost:5000/proxy", migrate: `app@${digest(2)}` };
    const ref = await createTracked(at(), kind, { images, annotations: withInit });
    const { digests, problems, isPinnedByPawl } = await read(at(), ref);
    expect(digests?.containers).toEqual([
      { name: "app", image: before, digest: digest(1) },
      { name: "sidecar", image: "localhost:5000/proxy" },
    ]);
    expect(digests?.external).toEqual({ app: digest(1) });
    expect({ problems, isPinnedByPawl }).toEqual({ problems: [], isPinnedByPawl: false });
  });

  test.for([
    { optIn: null, source: null },
    { optIn: false, source: null },
    { optIn: true, source: before },
  ])("with auto-update $optIn the tracked tag is $source", async ({ optIn, source }) => {
    const annotations = { "image-updater.eznix86.github.io/enabled": "true" };
    const workload = await read(at(), await createWorkload(at(), kind, { optIn, annotations }));
    expect(workload).toMatchObject({ source, image: before, policy: { optIn: "yes" }, problems: [] });
    expect(workload.digests?.containers).toEqual([
      { name: "app", image: before },
      { name: "sidecar", image: sidecar.image },
    ]);
  });
}

export function testKnownDigests(at: At, kind: BuiltInKind): void {
  test("no digests are known at first", async () => {
    const { digests, restartedAt } = await read(at(), await createTracked(at(), kind));
    expect(digests).toMatchObject({
      deployed: {},
      previous: [],
      reverted: null,
      initialDigestPolicy: "restart",
      isBlockedByFinalizer: false,
    });
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
    const ref = await createTracked(at(), kind, { annotations: { [lastDigest]: text } });
    const { problems, digests } = await read(at(), ref);
    expect({ problems, external: digests?.external, deployed: digests?.deployed }).toEqual({
      problems: [],
      external: last,
      deployed: {},
    });
  });

  test("deployed, previous and reverted digests", async () => {
    const ref = await createTracked(at(), kind);
    await createAutoUpdate(at(), ref, {});
    await patchStatus(at(), ref, {
      digests: {
        deployed: { app: digest(4) },
        previous: [{ app: digest(1) }, { app: digest(2), sidecar: digest(3) }],
        reverted: { since: "2026-11-20T12:00:00Z", digests: { app: digest(1) } },
      },
    });
    const { digests } = await read(at(), ref);
    expect(digests).toMatchObject({ deployed: { app: digest(4) }, external: {} });
    expect(digests?.previous).toEqual([{ app: digest(1) }, { app: digest(2), sidecar: digest(3) }]);
    expect(digests?.reverted).toEqual({ since: new Date("2026-11-20T12:00:00Z"), digests: { app: digest(1) } });
  });

  test("an image that Pawl pinned after a rollback has no digest of its own, unlike one that a person pinned since", async () => {
    const images = { app: `${before}@${digest(1)}`, migrate: `${migrate}@${digest(9)}` };
    const ref = await createTracked(at(), kind, { annotations: withInit, images });
    await createAutoUpdate(at(), ref, {});
    await patchStatus(at(), ref, { digests: { pinned: { app: digest(1), migrate: digest(2) } } });
    const { digests, isPinnedByPawl, image } = await read(at(), ref);
    expect(digests?.containers).toEqual([
      { name: "app", image: before },
      { name: "sidecar", image: sidecar.image },
      { name: "migrate", image: migrate, digest: digest(9) },
    ]);
    expect({ isPinnedByPawl, image }).toEqual({ isPinnedByPawl: true, image: images.app });
  });
}
