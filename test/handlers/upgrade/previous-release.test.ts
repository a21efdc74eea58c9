import { expect, test } from "vitest";
import { withImage } from "../../../functions/contract/step-input.ts";
import type { HistoryEntry } from "../../../functions/domain/workload/workload.ts";
import { pollCluster } from "../../../functions/workflows/poll/poll-cluster.ts";
import { runUntilComplete } from "../run-workload-update.ts";
import { type Upgraded, type UpgradeOptions, upgrade, toContinued, readFixture } from "./upgraded-cluster.ts";

const [one, two] = ["registry.example/shop/web:1.0.0", "registry.example/shop/web:1.1.0"];
const unhealthy = { isHealthy: (image: string) => image !== two };
const good = measuring(0);
const bad = measuring(1);
const digest = `sha256:${"b".repeat(64)}`;
const config = "config:461fc0fa77dc50b680c94637a070cef4";
const pinned = `registry.example/shop/web:prod@sha256:${"a".repeat(64)}`;

type End = readonly [image: string, history: readonly string[], failed: readonly string[], event: string];
type Row = readonly [fixture: string, options: UpgradeOptions, ...end: End];

const table: readonly Row[] = [
  ["update-claimed", {}, two, ["image 1.1.0 Healthy"], [], `Updated to ${two}`],
  ["update", {}, two, ["image 1.1.0 Healthy"], [], `Updated to ${two}`],
  ["update", unhealthy, one, ["image 1.1.0 RolledBack"], ["1.1.0"], `Rolled back from ${two} to ${one}: not ready`],
  ["canary", good, two, ["image 1.1.0 Healthy"], [], `Updated to ${two}`],
  ["canary", bad, one, ["image 1.1.0 RolledBack"], ["1.1.0"], `Rolled back from ${two} to ${one}: errors: 1 failures`],
  ["rollback", unhealthy, one, ["1.1.0 RolledBack"], ["1.1.0"], `Rolled back from ${two} to ${one}: not ready`],
  ["rollback-claimed", unhealthy, one, ["1.1.0 RolledBack"], ["1.1.0"], `Rolled back from ${two} to ${one}: not ready`],
  ["requested-restart", {}, one, ["restart 1.0.0 Healthy"], [], `Restarted ${one}, as requested`],
  ["restart-failed", {}, one, ["restart 1.0.0 RolledBack"], [], `The restart of ${one} failed: not ready`],
  [
    "digest",
    {},
    "registry.example/shop/web:prod",
    [`digest prod@${digest} Healthy`],
    [],
    "Restarted for the new digest",
  ],
  ["digest-failed", {}, pinned, [`digest prod@${digest} RolledBack`], [`prod@${digest}`], "The restart for"],
  ["config", {}, one, [`config 1.0.0@${config} Healthy`], [], `Restarted ${one} for changed configuration`],
  ["release", {}, one, ["1.1.0 Healthy", "release 1.0.0 Healthy"], [], `Rolled back to release 1 of ${one}`],
  ["release-failed", {}, two, ["1.1.0 Healthy", "release 1.0.0 RolledBack"], [], `Release 1 of ${one} failed`],
];

test.each(table)("adopts, after it was killed, %s %j", async (fixture, options, ...end) => {
  await using world = await upgrade(fixture, options);
  const { restartedAt } = await world.read();

  const report = await pollCluster(world.ports);
  await runUntilComplete(world.ports);

  expect(report).toMatchObject({ adopted: 1, started: 0, failures: 0 });
  expect(world.ports.executions.started).toHaveLength(1);
  expect(await endOf(world)).toEqual(expectedEnd(restartedAt, end));
});

test.each(table)("continues an execution of that version: %s %j", async (fixture, options, ...end) => {
  await using world = await upgrade(fixture, options);
  const { restartedAt } = await world.read();

  await world.ports.executions.start("continued", world.input);
  await runUntilComplete(world.ports);

  expect(await endOf(world)).toEqual(expectedEnd(restartedAt, end));
});

test.each(["update", "canary", "requested-restart", "digest", "config", "release"])(
  "starts executions that version reads: %s",
  (name) => {
    const { input } = readFixture(name);

    expect(withImage(toContinued(input))).toMatchObject({ ...input, adopting: true });
  },
);

test("waits for the next attempt at a restart that was refused, and makes it once", async () => {
  await using world = await upgrade("restart-backed-off");

  const waiting = await pollCluster(world.ports);
  world.ports.pass(60);
  const report = await pollCluster(world.ports);
  await runUntilComplete(world.ports);

  expect([waiting.adopted, waiting.started, report.adopted]).toEqual([0, 0, 1]);
  const { updateRecord, backOff, inFlight } = await world.read();
  expect([backOff, inFlight, updateRecord.failedVersions]).toEqual([null, null, []]);
  expect(updateRecord.versionHistory.map(describe)).toEqual(["restart 1.0.0 Healthy"]);
});

function measuring(value: number): UpgradeOptions {
  return { measured: () => ({ kind: "value", value }) };
}

function expectedEnd(restartedAt: Date | null, [image, history, failed, event]: End) {
  const said = [expect.stringContaining(event)];
  return { image, inFlight: null, backOff: null, restartedAt, circuitOpen: false, history, failed, said };
}

/** Returns what is left at the end, with the Events that say how the update ended. */
async function endOf({ read, events }: Upgraded) {
  const { image, inFlight, backOff, restartedAt, updateRecord } = await read();
  const { circuitOpen, failedVersions, versionHistory } = updateRecord;
  const said = (await events()).filter((text) => /^AutoUpdate(Complete|Rollback)/.test(text));
  const history = versionHistory.map(describe);
  return { image, inFlight, backOff, restartedAt, circuitOpen, history, failed: failedVersions, said };
}

function describe({ kind, version, status }: Pick<HistoryEntry, "kind" | "version" | "status">): string {
  return [...(kind === undefined ? [] : [kind]), version, status].join(" ");
}
