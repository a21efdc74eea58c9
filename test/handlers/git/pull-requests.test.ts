import { expect, test } from "vitest";
import { manifest } from "../../support/git/manifest.ts";
import { startGitPawl } from "./git-pawl.ts";

/** Only ends what hangs. */
const patient = { timeout: 240_000 };
const idle = { inFlight: null, minimum: null };
const isGood = (image: string) => !image.endsWith(":1.1.0");

type Pawl = Awaited<ReturnType<typeof startGitPawl>>;
const start = (names: readonly string[], isHealthy: (image: string) => boolean = () => true) =>
  startGitPawl(names, isHealthy, "pullRequest");
const titles = ({ host }: Pawl) => host.state.pulls.map(({ title, state }) => `${title}: ${state}`);

/** Lets a person act some hours after the first pull request was opened, and as long after that again. */
function later(pawl: Pawl, hours: number, ...acts: ((number: number) => Promise<unknown>)[]) {
  let since: number | null = null;
  return async () => {
    const open = pawl.host.state.pulls.find(({ state }) => state === "open");
    if (open === undefined) return;
    since ??= pawl.now().getTime();
    if (pawl.now().getTime() - since < hours * 3_600_000) return;
    since = pawl.now().getTime();
    await acts.shift()?.(open.number);
  };
}

test("a pull request that is merged after two days updates the workload, and nothing is blamed", patient, async () => {
  const pawl = await start(["web"]);
  await pawl.run(later(pawl, 48, (number) => pawl.host.merge(number)));
  expect(pawl.ends.at(-1)).toBe("Updated");
  expect(pawl.ends.filter((end) => end !== "ContinuedAsNew")).toEqual(["Updated"]);
  expect(await pawl.workloads()).toEqual([{ ...idle, name: "web", tag: "1.1.0", results: ["1.1.0 Healthy"] }]);
  expect(titles(pawl)).toEqual(["Update shop/web to 1.1.0: closed"]);
  expect(await pawl.read("web")).toBe(manifest("web", `${pawl.image}:1.1.0`));
});

test("a pull request that a person closes holds its version, which a retry proposes again", patient, async () => {
  const pawl = await start(["web"]);
  const before = await pawl.read("web");
  await pawl.run(later(pawl, 3, (number) => pawl.host.close(number)));
  expect(pawl.ends).toEqual(["Superseded"]);
  const held = { ...idle, name: "web", tag: "1.0.0", results: ["1.1.0 Superseded"], minimum: "1.1.0" };
  expect(await pawl.workloads()).toEqual([held]);
  const url = "https://github.test/acme/deploy/pull/1";
  const said = `the pull request ${url} of ${pawl.image}:1.1.0 was closed without a merge; "pawl retry" opens another`;
  expect(await pawl.run()).toMatchObject({ started: 0, adopted: 0 });
  expect(await pawl.states()).toEqual([expect.stringContaining(`Held ManualChange: ${said}`)]);
  expect(await pawl.reasons()).toEqual([said]);
  expect(titles(pawl)).toEqual(["Update shop/web to 1.1.0: closed"]);
  expect(await pawl.read("web")).toBe(before);
  await pawl.ask("retry");
  const merge = (number: number) => pawl.host.merge(number);
  await pawl.run(later(pawl, 0, merge));
  await pawl.run(later(pawl, 0, merge));
  expect(titles(pawl)).toEqual(["Update shop/web to 1.1.0: closed", "Update shop/web to 1.1.0: closed"]);
  expect(await pawl.workloads()).toMatchObject([{ tag: "1.1.0", results: ["1.1.0 Superseded", "1.1.0 Healthy"] }]);
});

test("a pull request that a person moves to another branch, and merges there, holds its version", patient, async () => {
  const pawl = await start(["web"]);
  const move = async (number: number) => {
    await pawl.host.retarget(number, "staging");
    await pawl.host.merge(number);
  };
  await pawl.run(later(pawl, 3, move));
  expect(pawl.ends).toEqual(["Superseded"]);
  expect(await pawl.workloads()).toMatchObject([{ tag: "1.0.0", results: ["1.1.0 Superseded"], minimum: "1.1.0" }]);
  expect(await pawl.reasons()).toEqual([
    expect.stringMatching(/was moved to the branch staging, and merged there; "pawl retry" opens another$/),
  ]);
});

test.for([false, true])(
  "a bad version is rolled back by a pull request that GitHub merges; rule: %s",
  patient,
  async (hasRule) => {
    const pawl = await start(["web"], isGood);
    await pawl.host.allowAutoMerge({ hasRule });
    const before = await pawl.read("web");
    await pawl.run(async () => {
      if (pawl.host.state.pulls.length === 1) await pawl.host.merge(1).catch(() => undefined);
      else await pawl.host.pass(2);
    });
    expect(pawl.ends).toEqual(["RolledBack"]);
    expect(await pawl.read("web")).toBe(before);
    expect(titles(pawl)).toEqual(["Update shop/web to 1.1.0: closed", "Restore shop/web to 1.0.0: closed"]);
    expect(pawl.host.state.pulls.map(({ mergedAs }) => mergedAs)).toEqual([expect.any(String), expect.any(String)]);
    expect(await pawl.workloads()).toEqual([{ ...idle, name: "web", tag: "1.0.0", results: ["1.1.0 RolledBack"] }]);
    expect(await pawl.run()).toMatchObject({ started: 0, adopted: 0 });
    expect(titles(pawl)).toHaveLength(2);
  },
);

test("a rollback waits for a person where nothing merges it, and ends if it is closed", patient, async () => {
  const pawl = await start(["web"], isGood);
  const states: string[] = [];
  await pawl.run(async () => {
    if (pawl.host.state.pulls.length === 1) await pawl.host.merge(1).catch(() => undefined);
    else if (states.length < 5) states.push(...(await pawl.states()));
    else await pawl.host.close(2);
  });
  expect(states.join("\n")).toContain("RollingBack");
  expect(pawl.ends).toEqual(["Superseded"]);
  expect(await pawl.workloads()).toMatchObject([{ tag: "1.1.0", inFlight: null, results: ["1.1.0 Superseded"] }]);
  expect(await pawl.read("web")).toBe(manifest("web", `${pawl.image}:1.1.0`));
  expect(await pawl.run()).toMatchObject({ started: 0 });
  expect(titles(pawl)).toHaveLength(2);
});

test("a newer version takes the place of one that waits, in one pull request with the others", patient, async () => {
  const pawl = await start(["web", "api"]);
  await pawl.run(
    later(pawl, 2, async () => {
      pawl.registry.push("shop/app", "1.2.0");
      await pawl.poll();
    }),
  );
  // Those that slept, and those that closed it.
  expect(pawl.ends).toEqual(["Superseded", "Superseded", "Superseded", "Superseded"]);
  expect(titles(pawl)).toEqual(["Update shop/api to 1.1.0 and 1 more: closed"]);
  await pawl.run(later(pawl, 2, () => pawl.host.merge(2)));
  expect(pawl.ends.slice(4)).toEqual(["Updated", "Updated"]);
  expect(titles(pawl)).toEqual([
    "Update shop/api to 1.1.0 and 1 more: closed",
    "Update shop/api to 1.2.0 and 1 more: closed",
  ]);
  expect(pawl.host.state.pulls).toMatchObject([
    { mergedAs: null, body: expect.stringContaining("\n1.2.0 takes its place.\n") as string },
    { body: expect.not.stringContaining("takes its place") as string },
  ]);
  expect(await pawl.workloads()).toMatchObject([{ tag: "1.2.0" }, { tag: "1.2.0" }]);
});

test("one that was merged, and is not synced yet, is followed before a newer version", patient, async () => {
  const pawl = await start(["web"]);
  await pawl.run(
    later(pawl, 2, async () => {
      pawl.registry.push("shop/app", "1.2.0");
      await pawl.host.merge(1);
      await pawl.poll();
    }),
  );
  expect(pawl.ends.toSorted()).toEqual(["Superseded", "Updated"]);
  expect(await pawl.workloads()).toMatchObject([{ tag: "1.1.0", results: ["1.1.0 Healthy"], inFlight: null }]);
  await pawl.run(later(pawl, 0, () => pawl.host.merge(2)));
  expect(await pawl.workloads()).toMatchObject([{ tag: "1.2.0", results: ["1.1.0 Healthy", "1.2.0 Healthy"] }]);
});

test(
  "what a person writes to git while a pull request is open stays, and the pull request is closed",
  patient,
  async () => {
    const pawl = await start(["web"]);
    const own = manifest("web", `${pawl.image}:1.0.1`);
    await pawl.run(later(pawl, 0.1, () => pawl.push("web", own)));
    expect(pawl.ends).toEqual(["Superseded"]);
    expect(await pawl.read("web")).toBe(own);
    expect(await pawl.workloads()).toEqual([
      { ...idle, name: "web", tag: "1.0.1", results: ["1.1.0 Superseded"], minimum: "1.1.0" },
    ]);
    expect(pawl.host.state.pulls).toMatchObject([
      { state: "closed", mergedAs: null, body: expect.stringContaining("1.0.1") as string },
    ]);
  },
);

test("an abort closes the pull request, and restores nothing", patient, async () => {
  const pawl = await start(["web"]);
  const before = await pawl.read("web");
  await pawl.run(
    later(pawl, 0.1, async () => {
      await pawl.ask("abort");
      await pawl.poll();
    }),
  );
  expect(await pawl.read("web")).toBe(before);
  expect(titles(pawl)).toEqual(["Update shop/web to 1.1.0: closed"]);
  expect(pawl.host.state.pulls[0]?.body).toContain("\nAn update in it has ended.\n");
  expect(await pawl.workloads()).toMatchObject([{ tag: "1.0.0", inFlight: null }]);
});
