import { expect, test } from "vitest";
import { measure, startAnalysis } from "../../../functions/domain/analysis/measure.ts";
import { unmeasured } from "../../../functions/domain/analysis/judge.ts";
import { before, target } from "../cluster-fixtures.ts";
import { annotationsOf, change, look, make, read, write, type At } from "./bench.ts";
import {
  abandon,
  badTarget,
  begin,
  beside,
  type CanaryKind,
  eventually,
  imagesOf,
  makeRunning,
  partitionOf,
  promote,
  untilAllRun,
  untilCanaryStands,
} from "./canary-bench.ts";
import { later, rolledBack, succeed } from "./steps.ts";

const marked = /pawl\.dev\/(?:target-image|update-|execution|previous-image|rolling-back|canary-)/;

/** A canary of a kind that has pods, from its claim to either end. */
export function canaries(at: At, kind: CanaryKind): void {
  const isSet = kind === "StatefulSet";

  test("claimed, it runs beside the rest, and is read as what it is", async () => {
    const ref = await makeRunning(at, kind);
    const claimed = await change(at(), ref, begin());
    expect(claimed.inFlight).toMatchObject({ phase: "canary", targetImage: target, previousImage: before });
    expect(annotationsOf(await look(at(), ref))).toMatchObject({
      "pawl.dev/target-image": target,
      "pawl.dev/update-phase": "Canary",
      "pawl.dev/execution": "e-1",
      "pawl.dev/previous-image": before,
      ...(isSet ? {} : { "pawl.dev/canary-name": "app-canary" }),
    });
    await untilCanaryStands(at(), ref);
    // The highest ordinal of a set; one more pod beside a Deployment's.
    const all = await imagesOf(at());
    expect(isSet ? all : all.toSorted()).toEqual([before, before, ...(isSet ? [] : [before]), target]);
    const { canaryNames, image, problems } = await read(at(), ref);
    expect(image).toBe(isSet ? target : before);
    expect(problems).toEqual([]);
    expect(canaryNames).toEqual({
      stable: expect.stringMatching(isSet ? /^app-\w+$/ : /^app$/),
      canary: expect.stringMatching(isSet ? /^app-\w+$/ : /^app-canary$/),
    });
    expect(canaryNames.canary).not.toBe(canaryNames.stable);
  });

  test("promoted, all replicas follow, and nothing of it is left at the end", async () => {
    const ref = await makeRunning(at, kind);
    await change(at(), ref, begin());
    await untilCanaryStands(at(), ref);
    const promoted = await change(at(), ref, promote);
    expect(promoted).toMatchObject({ image: target, canary: null, inFlight: { phase: "rollout", startedAt: later } });
    await untilAllRun(at(), ref, target);
    await expectNothingLeft(ref, await change(at(), ref, succeed));
  });

  test("rolled back, the rest has never moved, and nothing of it is left", async () => {
    const ref = await makeRunning(at, kind);
    await change(at(), ref, begin());
    await untilCanaryStands(at(), ref);
    expect(await change(at(), ref, abandon)).toMatchObject({ image: before, inFlight: { phase: "rollback" } });
    await expectNothingLeft(ref, await change(at(), ref, rolledBack));
    await untilAllRun(at(), ref, before);
  });

  test("one that never becomes ready is rolled back too", async () => {
    const ref = await makeRunning(at, kind);
    await change(at(), ref, begin(badTarget));
    await eventually(async () => expect(await imagesOf(at())).toContain(badTarget));
    const given = await change(at(), ref, abandon);
    await at().cluster.freeStuckPods(given, badTarget);
    await untilAllRun(at(), ref, before);
    await expectNothingLeft(ref, await change(at(), ref, rolledBack));
  });

  test("rolled back after it was promoted, all replicas go back", async () => {
    const ref = await makeRunning(at, kind);
    await change(at(), ref, begin());
    await untilCanaryStands(at(), ref);
    await change(at(), ref, promote);
    await untilAllRun(at(), ref, target);
    await change(at(), ref, abandon);
    await expectNothingLeft(ref, await change(at(), ref, rolledBack));
    await untilAllRun(at(), ref, before);
    expect(await imagesOf(at())).not.toContain(target);
  });

  test("each step repeated is the same step", async () => {
    const ref = await makeRunning(at, kind);
    await change(at(), ref, begin());
    const made = await beside(at(), ref);
    await change(at(), ref, begin());
    expect((await beside(at(), ref))?.uid).toBe(made?.uid);
    await untilCanaryStands(at(), ref);
    for (const step of [promote, promote, abandon, () => ({ canary: null })]) await change(at(), ref, step);
    await change(at(), ref, rolledBack);
    await expectNothingLeft(ref, await change(at(), ref, rolledBack));
    await untilAllRun(at(), ref, before);
  });

  test("overtaken by a person's image, it goes and that image is rolled out to all", async () => {
    const ref = await makeRunning(at, kind);
    await change(at(), ref, begin());
    const hotfix = "registry.invalid:5000/shop/app:hotfix";
    const spec = { template: { spec: { containers: [{ name: "app", image: hotfix }] } } };
    await write(at(), ref, { spec }, { contentType: "application/strategic-merge-patch+json" });
    await expectNothingLeft(ref, await change(at(), ref, () => ({ inFlight: null, canary: null })));
    await untilAllRun(at(), ref, hotfix);
    expect((await read(at(), ref)).problems).toEqual([]);
  });

  async function expectNothingLeft(ref: Parameters<typeof look>[1], last: object): Promise<void> {
    expect(last).toMatchObject({ inFlight: null, canary: null, verdict: null });
    expect(Object.keys(annotationsOf(await look(at(), ref))).filter((key) => marked.test(key))).toEqual([]);
    expect(await partitionOf(at(), ref)).toBe(0);
    await eventually(async () => expect(await beside(at(), ref)).toBeNull());
  }
}

/** What is written on the workload about its canary. */
export function canaryNotes(at: At, kind: CanaryKind): void {
  const noon = new Date("2026-11-20T12:00:00Z");

  test("what an analysis has come to is read as it was written, and taken away", async () => {
    const ref = await make(at(), kind);
    const first = measure(startAnalysis(noon), "error-rate", { verdict: "pass", value: 0.002, note: null }, later);
    const analysis = measure(first, "latency", unmeasured("Unreachable: no answer"), later);
    expect((await change(at(), ref, () => ({ analysis }))).analysis).toEqual(analysis);
    expect((await change(at(), ref, () => ({ paused: true }))).analysis).toEqual(analysis);
    expect((await change(at(), ref, () => ({ analysis: null }))).analysis).toBeNull();
    await write(at(), ref, { metadata: { annotations: { "pawl.dev/analysis": "{" } } });
    expect((await read(at(), ref)).analysis).toBeNull();
  });

  test("what a person says of it is read, and goes with the next claim", async () => {
    const ref = await make(at(), kind, { spec: { replicas: 3 } });
    for (const verdict of ["promote", "abort", null] as const) {
      expect((await change(at(), ref, () => ({ verdict }))).verdict).toBe(verdict);
    }
    const annotations = { "pawl.dev/canary-verdict": "maybe" };
    await write(at(), ref, { metadata: { annotations } });
    expect((await read(at(), ref)).verdict).toBeNull();
    await change(at(), ref, begin());
    expect(annotationsOf(await look(at(), ref))).not.toHaveProperty("pawl.dev/canary-verdict");
  });

  test("an analysis is a ConfigMap of the workload's namespace", async () => {
    const workload = await read(at(), await make(at(), kind));
    const text = "interval: 1m\nmetrics: []\n";
    for (const [name, data] of [
      ["rate", { "analysis.yaml": text }],
      ["other", { "rate.yaml": text }],
    ] as const) {
      const body = { metadata: { name }, data };
      await at().request("POST", `/api/v1/namespaces/${at().namespace}/configmaps`, { body });
    }
    expect(await at().cluster.readAnalysis(workload, "rate")).toBe(text);
    expect(await at().cluster.readAnalysis(workload, "other")).toBeNull();
    expect(await at().cluster.readAnalysis(workload, "nowhere")).toBeNull();
  });
}
