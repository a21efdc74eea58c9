import { expect, test } from "vitest";
import type { OwnedImage } from "../../../functions/domain/workload/owner/coexistence.ts";
import { applyUpdate } from "../../../functions/handlers/apply-update.ts";
import { checkReadiness } from "../../../functions/handlers/check-readiness.ts";
import { recordCheck } from "../../../functions/handlers/record-check.ts";
import { startCanary } from "../../../functions/handlers/start-canary.ts";
import { after, image, noon, target, workload, type WorkloadParts } from "../../support/workloads.ts";
import { canaryStep } from "../canary/canary-steps.ts";
import { around, step } from "../steps.ts";

const owner: OwnedImage = {
  owner: { tool: "Helm", name: "shop", namespace: "apps" },
  containers: [{ name: "app", pointer: "/spec/template/spec/containers/0/image" }],
};
const reverts = { version: "1.1.0", replaced: [image], reapplied: [] };
const because = ", because Helm release apps/shop has set back 1.0.0; set back again, it stays (execution e-1)";

/** Helm has set back 1.0.0 after Pawl had updated to 1.1.0. */
function setBack({ policy, ...parts }: WorkloadParts = {}) {
  const updateRecord = { currentVersion: "1.1.0", reverts };
  return workload({ policy: { onRevert: "reapply", ...policy }, updateRecord, ...parts });
}

test.for([
  { how: "on all replicas", initial: setBack(), run: applyUpdate, input: step },
  {
    how: "on a canary",
    initial: setBack({ policy: { canary: { unit: "replicas", amount: 1 } } }),
    run: startCanary,
    input: canaryStep,
  },
])(
  "a version is applied again $how, with its claim, and the Event names the owner",
  async ({ initial, run, input }) => {
    const ports = around(initial, { owner });
    await run(ports, input);
    const reapplied = [{ version: "1.1.0", image, at: noon, owner: "Helm release apps/shop" }];
    expect(ports.cluster.get()).toMatchObject({
      inFlight: { previousImage: image, startedAt: noon },
      updateRecord: { currentVersion: "1.1.0", reverts: { ...reverts, reapplied } },
    });
    const message = expect.stringContaining(because);
    expect(ports.cluster.events()).toMatchObject([{ type: "Warning", reason: "AutoUpdateReapplied", message }]);
    expect(ports.published).toMatchObject([{ type: "Update Started", reason: message }]);
    // Repeated, the step neither counts nor reports it twice.
    await run(ports, input);
    expect(ports.cluster.get().updateRecord.reverts?.reapplied).toEqual(reapplied);
    expect(ports.cluster.events()).toHaveLength(1);
  },
);

test("set back during the update, it stays", async () => {
  const ports = around(setBack(), { owner });
  await applyUpdate(ports, step);
  const { cluster } = ports;
  cluster.put({ ...cluster.get(), image });
  expect(await checkReadiness(ports, { ...step, executionStartedAt: noon.toISOString() })).toMatchObject({
    kind: "superseded",
  });
  cluster.put({ ...cluster.get(), inFlight: null });
  expect(await applyUpdate(ports, { ...step, execution: "e-2" })).toMatchObject({
    kind: "superseded",
    reason: expect.stringContaining("version 1.1.0 is already running"),
  });
  expect(cluster.get().image).toBe(image);
});

test("a step that comes an hour late, after another version was applied again, applies nothing", async () => {
  const reapplied = [{ version: "1.0.5", image, at: after(-59) }];
  const ports = around(setBack({ updateRecord: { currentVersion: "1.1.0", reverts: { ...reverts, reapplied } } }));
  expect(await applyUpdate(ports, step)).toMatchObject({ kind: "superseded" });
  expect(ports.cluster.get().image).not.toBe(target);
});

const missing = { resourceVersion: null, state: "missing", isManaged: true, claimedElsewhereUntil: null } as const;
const written = { ...missing, resourceVersion: "r-7", state: "changed", isManaged: false, isNew: true } as const;

test.for([
  { when: "Pawl creates its AutoUpdate", record: missing, owned: owner, events: 1 },
  { when: "a person wrote its AutoUpdate", record: written, owned: owner, events: 1 },
  { when: "something was recorded before", record: { ...written, isNew: undefined } as never, owned: owner, events: 0 },
  { when: "nobody else sets its image", record: missing, owned: null, events: 0 },
  { when: "it has not opted in", record: written, policy: { optIn: "no" } as const, owned: owner, events: 0 },
])("at the opt-in, if $when, $events Events name the owner", async ({ record, policy = {}, owned, events }) => {
  const ports = around(workload({ record, policy }), { owner: owned });
  const { ref, resourceVersion } = ports.cluster.get();
  const decision = { kind: "hold", reason: "no-newer-version", detail: "as before", target: null } as const;
  const check = { workload: ref, resourceVersion, recordVersion: record.resourceVersion, decision };
  await recordCheck(ports, { cluster: "production", checks: [check] });
  const found = ports.cluster.events().filter(({ reason }) => reason === "AutoUpdateOwner");
  expect(found).toHaveLength(events);
  expect(found.every(({ message }) => message.startsWith("Helm release apps/shop sets the image too; "))).toBe(true);
});
