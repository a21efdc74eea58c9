import { expect, test } from "vitest";
import { answerRequest } from "../../../functions/domain/workload/request/request.ts";
import type { Change } from "../../../functions/domain/workload/update/change.ts";
import type { Workload } from "../../../functions/domain/workload/workload.ts";
import type { Kind } from "../cluster-fixtures.ts";
import { annotationsOf, type At, change, createWorkload, getObject, read } from "./harness.ts";
import { requestOf } from "../../support/request-of.ts";

const trip = (): Change => ({ updateRecord: { circuitOpen: true, rollbackCount: 3 } });

function answer(workload: Workload): Change {
  if (workload.request === null) throw new Error("there is no request");
  return answerRequest(workload, workload.request);
}

/** Tests that the request of a person is read, answered, and not read again. */
export function testRequests(at: At, kind: Kind): void {
  test("a request is answered once, with the change that it asks for", async () => {
    const ref = await createWorkload(at(), kind);
    const tripped = await change(at(), ref, trip);
    expect(tripped).toMatchObject({ request: null, lastRequest: null });
    await at().cluster.request(tripped, requestOf("reset t-1"));
    expect(await read(at(), ref)).toMatchObject({ request: { verb: "reset", argument: null, token: "t-1" } });
    const after = await change(at(), ref, answer);
    expect(after).toMatchObject({
      request: null,
      lastRequest: { token: "t-1", verb: "reset", result: "circuit closed, 3 failed attempts no longer counted" },
      updateRecord: { circuitOpen: false, rollbackCount: 0 },
    });
    // The same text written again has the same token, so nothing is asked.
    await at().cluster.request(after, requestOf("reset t-1"));
    expect((await read(at(), ref)).request).toBeNull();
  });

  test("the next request has another token", async () => {
    const ref = await createWorkload(at(), kind);
    const first = await change(at(), ref, trip);
    await at().cluster.request(first, requestOf("reset t-1"));
    await at().cluster.request(await change(at(), ref, answer), requestOf("reset failed t-2"));
    const { lastRequest } = await change(at(), ref, answer);
    expect(lastRequest).toEqual(
      expect.objectContaining({
        token: "t-2",
        verb: "reset",
        result: "refused: there is nothing to reset; use pawl retry to try failed versions again",
      }),
    );
  });

  test("a request is a Conflict if the record has changed", async () => {
    const ref = await createWorkload(at(), kind);
    const tripped = await change(at(), ref, trip);
    await at().cluster.request(tripped, requestOf("reset t-1"));
    await expect(at().cluster.request(tripped, requestOf("reset t-2"))).rejects.toMatchObject({ name: "Conflict" });
    expect((await read(at(), ref)).request).toMatchObject({ token: "t-1" });
  });

  test.skipIf(kind === "Claw")("a request is a Conflict without a record, and nothing is written", async () => {
    const ref = await createWorkload(at(), kind);
    const before = annotationsOf(await getObject(at(), ref));
    const workload = await read(at(), ref);
    await expect(at().cluster.request(workload, requestOf("reset t-1"))).rejects.toMatchObject({ name: "Conflict" });
    expect(annotationsOf(await getObject(at(), ref))).toEqual(before);
  });
}
