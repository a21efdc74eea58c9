import { describe, expect, test } from "vitest";
import { rollbackOf } from "../../support/rollback.ts";
import { adoptUpdate } from "../../../functions/handlers/adopt-update.ts";
import { once } from "../../support/fake-ports.ts";
import { image, inFlight, updatingWorkload, workload, imageTarget } from "../../support/workloads.ts";
import { around, expectSelectable, withNewUid, step, writesNothing } from "../steps.ts";

const adopting = { ...step, execution: "e-2", adopting: true };
test("takes over an interrupted rollback, and keeps the restored image", async () => {
  const rollingBack = rollbackOf(inFlight, { startedAt: "malformed", previousImage: null });
  const ports = around(workload({ inFlight: rollingBack }));
  expect(await adoptUpdate(ports, adopting)).toMatchObject({ kind: "adopted" });
  expect(ports.cluster.get()).toMatchObject({ image, inFlight: { ...rollingBack, execution: "e-2" } });
});

describe("writes nothing if", () => {
  test.for([
    { when: "the workload is deleted", initial: null },
    { when: "the workload is recreated", initial: withNewUid(updatingWorkload()) },
    { when: "no update is in progress any more", initial: workload() },
    {
      when: "the target image is changed",
      initial: updatingWorkload({ inFlight: { ...inFlight, target: imageTarget("app:9") } }),
    },
    { when: "the image is changed manually", initial: updatingWorkload({ image: "registry.example/shop/app:hotfix" }) },
  ])("$when", async ({ initial }) => {
    const result = await adoptUpdate(around(initial, { atMoment: writesNothing }), adopting);
    expect(result).toMatchObject({
      kind: "superseded",
      reason: expect.stringMatching(/not found|no longer|was changed/),
    });
    expectSelectable("AdoptUpdate", result);
  });
});

test("a change between read and write is a Conflict, and nothing is written", async () => {
  const ports = around(updatingWorkload(), {
    atMoment: once("before change", () => ports.cluster.put(updatingWorkload())),
  });
  await expect(adoptUpdate(ports, adopting)).rejects.toMatchObject({ name: "Conflict" });
  expect(ports.cluster.get().inFlight).toEqual(inFlight);
});
