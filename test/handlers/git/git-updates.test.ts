import { expect, test } from "vitest";
import { manifest } from "../../support/git/manifest.ts";
import { startGitPawl } from "./git-pawl.ts";

/** Only ends what hangs. */
const patient = { timeout: 240_000 };
const idle = { inFlight: null, minimum: null };

test("an image that git names is updated by a commit, which changes the image only", patient, async () => {
  const pawl = await startGitPawl(["web"]);
  expect(await pawl.run()).toMatchObject({ started: 1, failed: [] });
  expect(pawl.ends).toEqual(["Updated"]);
  expect(await pawl.read("web")).toBe(manifest("web", `${pawl.image}:1.1.0`));
  expect(await pawl.workloads()).toEqual([{ ...idle, name: "web", tag: "1.1.0", results: ["1.1.0 Healthy"] }]);
  expect(await pawl.run()).toMatchObject({ started: 0, adopted: 0 });
  expect(await pawl.host.log()).toEqual(["Update shop/web to 1.1.0", "initial"]);
  expect(pawl.host.state.repository.message("main")).toContain(
    `Deployment shop/web: 1.0.0 -> 1.1.0\nImage: ${pawl.image}:1.1.0\n`,
  );
});

test("a bad version is rolled back by a commit, after which the files are as before", patient, async () => {
  const pawl = await startGitPawl(["web"], (image) => !image.endsWith(":1.1.0"));
  const before = await pawl.read("web");
  await pawl.run();
  expect(pawl.ends).toEqual(["RolledBack"]);
  expect(await pawl.read("web")).toBe(before);
  expect(await pawl.host.log()).toEqual(["Restore shop/web to 1.0.0", "Update shop/web to 1.1.0", "initial"]);
  expect(await pawl.workloads()).toEqual([{ ...idle, name: "web", tag: "1.0.0", results: ["1.1.0 RolledBack"] }]);
  expect(await pawl.run()).toMatchObject({ started: 0, adopted: 0 });
  expect(await pawl.host.log()).toHaveLength(3);
});

test("what a person reverts in git is held, and a newer version is committed", patient, async () => {
  const pawl = await startGitPawl(["web"]);
  const before = manifest("web", `${pawl.image}:1.0.0`);
  await pawl.run(async () => {
    const text = await pawl.read("web");
    if (text !== before) await pawl.push("web", before);
  });
  expect(pawl.ends).toEqual(["Superseded"]);
  const held = { ...idle, name: "web", tag: "1.0.0", results: ["1.1.0 Superseded"], minimum: "1.1.0" };
  expect(await pawl.workloads()).toEqual([held]);
  expect(await pawl.run()).toMatchObject({ started: 0, adopted: 0 });
  expect(await pawl.host.log()).toEqual(["a person", "Update shop/web to 1.1.0", "initial"]);
  pawl.registry.push("shop/app", "1.2.0");
  expect(await pawl.run()).toMatchObject({ started: 1 });
  expect(await pawl.read("web")).toBe(manifest("web", `${pawl.image}:1.2.0`));
});

test("one commit updates 40 workloads", patient, async () => {
  const names = [...Array(40).keys()].map((index) => `web-${10 + index}`);
  const pawl = await startGitPawl(names);
  expect(await pawl.run()).toMatchObject({ started: 40, failed: [] });
  expect(pawl.ends).toEqual(names.map(() => "Updated"));
  expect(await pawl.workloads()).toEqual(names.map((name) => expect.objectContaining({ name, tag: "1.1.0", ...idle })));
  expect(await pawl.host.log()).toEqual(["Update shop/web-10 to 1.1.0 and 39 more", "initial"]);
});
