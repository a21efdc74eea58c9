import { expect, test } from "vitest";
import { giveUp } from "../../../../functions/domain/bookkeeping.ts";
import type { WorkloadRef } from "../../../../functions/domain/workload.ts";
import { before, sidecar, type BuiltInKind } from "../../cluster-fixtures.ts";
import { annotationsOf, change, look, read, write, type At, type Bench } from "../bench.ts";
import { later, type Step } from "../steps.ts";
import { digest, followed, migrate, restart, templateOf, withInit } from "./bench.ts";

const pinning = { ...withInit, "pawl.dev/rollback": "digest" };
const good = { app: digest(1), migrate: digest(2), sidecar: digest(3) };
/** The sidecar's is the same as before. */
const bad = { app: digest(4), migrate: digest(5), sidecar: digest(3) };
const abandon: Step = (workload) =>
  workload.inFlight === null ? {} : giveUp(workload, workload.inFlight, "not ready", later);
const over: Step = () => ({ inFlight: null });

export function pins(at: At, kind: BuiltInKind): void {
  /** Restarted for what is good, then for what is not, which was taken back. */
  async function pinned(annotations: Readonly<Record<string, string>> = pinning): Promise<WorkloadRef> {
    const ref = await followed(at(), kind, { annotations });
    const steps = [restart(good), over, restart(bad, "e-2", later), abandon, over];
    for (const step of steps) await change(at(), ref, step);
    return ref;
  }

  test("a restart that failed is taken back to what ran before, each container in its own list", async () => {
    const ref = await pinned();
    expect(await imagesIn(at(), ref)).toEqual({
      containers: { app: `${before}@${digest(1)}`, sidecar: sidecar.image },
      initContainers: { migrate: `${migrate}@${digest(2)}` },
    });
    expect(annotationsOf(await look(at(), ref))).toMatchObject({
      "pawl.dev/pinned": `app:${digest(1)},migrate:${digest(2)}`,
      "pawl.dev/failed-versions": `1.0.0@${digest(4)}`,
    });
    const { digests, isPinned, problems } = await read(at(), ref);
    expect(digests?.containers.map(({ name, image }) => [name, image])).toEqual([
      ["app", before],
      ["sidecar", sidecar.image],
      ["migrate", migrate],
    ]);
    expect({ isPinned, problems }).toEqual({ isPinned: true, problems: [] });
  });

  test("the next restart takes the pins out again", async () => {
    const ref = await pinned();
    const next = { ...bad, app: digest(6), migrate: digest(7) };
    const workload = await change(at(), ref, restart(next, "e-3", later));
    expect(await imagesIn(at(), ref)).toEqual({
      containers: { app: before, sidecar: sidecar.image },
      initContainers: { migrate },
    });
    expect(annotationsOf(await look(at(), ref))).not.toHaveProperty("pawl.dev/pinned");
    expect(workload).toMatchObject({ isPinned: false, image: before, inFlight: { phase: "restart" } });
  });

  test("what a person has set since is not taken for a pin, and stays", async () => {
    const ref = await pinned();
    const chosen = `${before}@${digest(9)}`;
    const body = { spec: { template: { spec: { containers: [{ name: "app", image: chosen }] } } } };
    await write(at(), ref, body, { contentType: "application/strategic-merge-patch+json" });
    const { isPinned, digests } = await read(at(), ref);
    expect({ isPinned, followed: digests?.containers.map(({ name }) => name) }).toEqual({
      isPinned: false,
      followed: ["sidecar", "migrate"],
    });
    await change(at(), ref, restart({ sidecar: digest(8), migrate: digest(5) }, "e-3", later));
    expect(await imagesIn(at(), ref)).toEqual({
      containers: { app: chosen, sidecar: sidecar.image },
      initContainers: { migrate },
    });
  });

  test("without leave to do so nothing is pinned", async () => {
    const ref = await pinned(withInit);
    expect(await imagesIn(at(), ref)).toEqual({
      containers: { app: before, sidecar: sidecar.image },
      initContainers: { migrate },
    });
    expect(annotationsOf(await look(at(), ref))).not.toHaveProperty("pawl.dev/pinned");
  });
}

async function imagesIn(bench: Bench, ref: WorkloadRef): Promise<object> {
  const { containers, initContainers } = templateOf(await look(bench, ref)).spec;
  const byName = (list: readonly { name: string; image: string }[]) =>
    Object.fromEntries(list.map(({ name, image }) => [name, image]));
  return { containers: byName(containers), initContainers: byName(initContainers) };
}
