import { afterAll, describe, expect, test } from "vitest";
import { checkReadiness } from "../../../../../functions/handlers/check-readiness.ts";
import { restoreRelease } from "../../../../../functions/handlers/restore-release.ts";
import { rollBack } from "../../../../../functions/handlers/roll-back.ts";
import { eventually } from "../../../../support/control-plane/eventually.ts";
import type { Kubectl } from "../../../../support/kubectl.ts";
import type { Kind } from "../../../../support/kubectl/objects.ts";
import { startCluster } from "../../embedded-cluster.ts";
import { image, manifest, name, openReleased } from "./released.ts";

const server = await startCluster();
afterAll(() => server.close());

async function openRestored(kind: Kind) {
  const opened = await openReleased(kind, server.kubeConfig);
  expect(await restoreRelease(opened.ports, opened.input)).toMatchObject({ kind: "applied" });
  return opened;
}

type Act = (kubectl: Kubectl, kind: Kind) => Promise<void>;

/** What a person does, and what runs in the end: by default what the person set, which ends the rollback. */
const acts: Readonly<Record<string, { readonly act: Act; readonly tag: string | null }>> = {
  undo: { act: (kubectl, kind) => kubectl.rolloutUndo(kind, name), tag: "1.1.0" },
  replace: { act: (kubectl, kind) => kubectl.replace(manifest(kind, "0.9.0")), tag: "0.9.0" },
  apply: { act: (kubectl, kind) => kubectl.apply(manifest(kind, "0.9.0")), tag: "0.9.0" },
  "set image": { act: (kubectl, kind) => kubectl.setImage(kind, name, image("1.0.5")), tag: "1.0.5" },
  scale: { act: (kubectl, kind) => kubectl.scale(kind, name, 3), tag: null },
  restart: { act: (kubectl, kind) => kubectl.rolloutRestart(kind, name), tag: null },
};

const cases = (["Deployment", "StatefulSet"] as const).flatMap((kind) =>
  Object.entries(acts).map(([verb, { act, tag }]) => ({ kind, verb, act, tag })),
);

describe.concurrent("while a rollback to a release is in flight", () => {
  test.for(cases)("kubectl $verb of a $kind: it ends unless its template is in place", async (given) => {
    const { kind, act, tag } = given;
    const { ports, kubectl, input, runs, read } = await openRestored(kind);
    await act(kubectl, kind);
    const ends = tag === null ? "ready" : "superseded";
    await eventually(`it is ${ends}`, async () => (await stepKind(checkReadiness(ports, input))) === ends);
    expect(await runs()).toBe(image(tag ?? "1.0.0"));
    expect((await read()).updateRecord).toMatchObject({ rollbackCount: 0, failedVersions: [] });
  });

  test.for(cases)("that has failed, kubectl $verb of a $kind: only its own template is reverted", async (given) => {
    const { kind, act, tag } = given;
    const { ports, kubectl, input, runs, read } = await openRestored(kind);
    await rollBack(ports, { ...input, verdict: "expired", reason: "0 of 2 replicas are ready" });
    await act(kubectl, kind);
    const ends = /^(?:applied|superseded)$/;
    await eventually("its step has a result", async () => ends.test(await stepKind(restoreRelease(ports, input))));
    expect(await runs()).toBe(image(tag ?? "1.1.0"));
    expect((await read()).updateRecord).toMatchObject({ rollbackCount: 0, failedVersions: [] });
  });

  test("kubectl delete: it ends, and nothing is written", async () => {
    const { ports, kubectl, input } = await openRestored("Deployment");
    await kubectl.delete("Deployment", name);
    await kubectl.create(manifest("Deployment", "1.1.0"));
    expect(await checkReadiness(ports, input)).toMatchObject({ kind: "superseded" });
    expect(await restoreRelease(ports, { ...input, adopting: true })).toMatchObject({ kind: "superseded" });
  });
});

/** A controller may write between two requests: the machine repeats the step. */
async function stepKind(step: Promise<{ readonly kind: string }>): Promise<string> {
  return step.then(
    ({ kind }) => kind,
    (error: Error) => error.name,
  );
}
