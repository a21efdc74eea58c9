import { expect, test } from "vitest";
import { createObject, change, look, make, read, write, type At, type Bench } from "./bench.ts";
import { manifest, sidecar } from "../cluster-fixtures.ts";
import { abandon, claim, later, rolledBack, succeed, type Step } from "./steps.ts";
import type { WorkloadRef } from "../../../functions/domain/workload.ts";

const noon = "2026-11-20T12:00:00Z";
const tenPast = "2026-11-20T12:10:00Z";
const theirs = {
  type: "Ready",
  status: "True",
  reason: "AllGood",
  message: "runs",
  lastTransitionTime: "2020-01-01T00:00:00Z",
};
const available = { type: "AutoUpdateAvailable", observedGeneration: 1, lastTransitionTime: noon };
const inProgress = { type: "AutoUpdateInProgress", observedGeneration: 1, lastTransitionTime: noon };

/** What is true of a Claw alone: its conditions, and pods that its own operator makes. */
export function claw(at: At): void {
  test("the conditions tell of an update from its start to its success", async () => {
    const ref = await make(at(), "Claw");
    await change(at(), ref, claim);
    expect(await conditions(at(), ref)).toMatchObject([
      { ...available, status: "True", reason: "NewVersionFound" },
      { ...inProgress, status: "True", reason: "UpdateStarted" },
    ]);
    at().now = later;
    await change(at(), ref, succeed);
    expect(await conditions(at(), ref)).toMatchObject([
      { ...available, status: "False", reason: "UpToDate", lastTransitionTime: tenPast },
      { ...inProgress, status: "False", reason: "UpdateComplete", lastTransitionTime: tenPast },
    ]);
  });

  test("after a rollback the version stays available", async () => {
    const ref = await make(at(), "Claw");
    await change(at(), ref, claim);
    at().now = later;
    for (const step of [abandon, rolledBack]) await change(at(), ref, step);
    expect(await conditions(at(), ref)).toMatchObject([
      { ...available, status: "True", reason: "NewVersionFound" },
      { ...inProgress, status: "False", reason: "RolledBack", lastTransitionTime: tenPast },
    ]);
  });

  test("a transition is timed where the status changes, not where only the words do", async () => {
    const ref = await make(at(), "Claw");
    const say = (status: "True" | "False", message: string): Step => {
      const reason = status === "True" ? "NewVersionFound" : "UpToDate";
      return () => ({ conditions: [{ type: "AutoUpdateAvailable", status, reason, message }] });
    };
    await change(at(), ref, say("True", "1.1.0 is out"));
    at().now = later;
    await change(at(), ref, say("True", "1.2.0 is out"));
    expect(await conditions(at(), ref)).toEqual([
      { ...available, status: "True", reason: "NewVersionFound", message: "1.2.0 is out" },
    ]);
    await change(at(), ref, say("False", "nothing newer"));
    expect(await conditions(at(), ref)).toMatchObject([{ status: "False", lastTransitionTime: tenPast }]);
  });

  test("other people's conditions outlive an update", async () => {
    const ref = await make(at(), "Claw");
    await write(at(), ref, { status: { conditions: [theirs] } }, { subresource: "/status" });
    for (const step of [claim, succeed]) await change(at(), ref, step);
    const all = await conditions(at(), ref);
    expect(all.map(({ type }) => type)).toEqual(["AutoUpdateAvailable", "AutoUpdateInProgress", "Ready"]);
    expect(all).toContainEqual(theirs);
  });

  test("its rollout is that of the StatefulSet of its name, and the image that of the container runtime", async () => {
    const spec = manifest("StatefulSet", { name: "otto" }).spec;
    const containers = [sidecar, { name: "runtime", image: "registry.invalid/claw:1.0.0" }];
    const template = { metadata: { labels: { app: "otto" } }, spec: { containers } };
    const metadata = { name: "otto" };
    await createObject(at(), "StatefulSet", { metadata, spec: { ...spec, template, replicas: 0 } });
    const ref = await make(at(), "Claw", { name: "otto" });
    await expect
      .poll(async () => (await read(at(), ref)).rollout)
      .toEqual({
        generation: 1,
        observedGeneration: 1,
        image: "registry.invalid/claw:1.0.0",
        desiredReplicas: 0,
        updatedReplicas: 0,
        readyReplicas: 0,
        oldReplicas: 0,
      });
  });

  test("without a published image and without pods there is nothing to see", async () => {
    const ref = await make(at(), "Claw", { runtime: "hermesrs" });
    expect(await read(at(), ref)).toMatchObject({ source: null, image: null, rollout: null, problems: [] });
  });
}

interface Condition {
  readonly type: string;
}

async function conditions(bench: Bench, ref: WorkloadRef): Promise<readonly Condition[]> {
  const { status } = await look(bench, ref);
  const list = (status?.["conditions"] ?? []) as unknown as readonly Condition[];
  return list.toSorted((a, b) => a.type.localeCompare(b.type));
}
