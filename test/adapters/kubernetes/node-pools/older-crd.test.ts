import { describe, expect, test } from "vitest";
import type { NodePoolStatus } from "../../../../functions/domain/node-pool/pool/node-pool.ts";
import { member, pool } from "../../../domain/node-pool/pools.ts";
import { startScriptedServer, ok } from "../api/scripted-server.ts";
import { bootcNodeObject, poolObject, poolsAt } from "./objects.ts";

type Body = { readonly status?: Readonly<Record<string, unknown>> };

/** A server whose CRDs do not know these fields of a status. */
function serverWithout(fields: readonly string[]) {
  return startScriptedServer(({ method, path, body }) => {
    const found = path.includes("bootcnodepools") ? poolObject() : bootcNodeObject();
    if (method === "GET") return ok(found);
    const { status = {} } = JSON.parse(body) as Body;
    const kept = Object.entries(status).filter(([field]) => !fields.includes(field));
    return ok({ ...found, status: Object.fromEntries(kept) });
  });
}

const fix = ".*run kubectl apply -k infra/cluster/node-pools$";

const halted: NodePoolStatus = {
  ...pool().status,
  haltedAt: new Date("2026-11-20T12:00:00Z"),
  failedDigests: ["sha256:1"],
  degradedCount: 2,
};

describe("a pool whose CRD is of an older version", () => {
  test.for([
    { when: "that drops no field", fields: [], execution: null, outdated: null },
    { when: "idle, that drops a count", fields: ["degradedCount"], execution: null, outdated: "degradedCount" },
    { when: "in a rollout, that drops a count", fields: ["degradedCount"], execution: "e-1", outdated: null },
    { when: "in a rollout, that forgets a halt", fields: ["haltedAt"], execution: "e-1", outdated: "haltedAt" },
    {
      when: "in a rollout, that forgets a bad image",
      fields: ["failedDigests"],
      execution: "e-1",
      outdated: "failedDigests",
    },
  ])("$when: $outdated", async ({ fields, execution, outdated }) => {
    await using server = await serverWithout(fields);
    const dropped = await failureOf(poolsAt(server.url).saveStatus({ ...pool(), execution }, halted));
    expect(dropped).toMatch(
      outdated === null ? /^stored$/ : new RegExp(`bootcnodepools.node.bootc.dev: drops status.${outdated}, ${fix}`),
    );
  });
});

describe("the report of a node whose CRD is of an older version", () => {
  const report = { images: null, activity: "Staging", error: null, observedGeneration: 1, command: null } as const;

  test.for([
    { fields: [], outdated: null },
    { fields: ["observedGeneration"], outdated: "observedGeneration" },
  ])("that drops $fields", async ({ fields, outdated }) => {
    await using server = await serverWithout(fields);
    const dropped = await failureOf(poolsAt(server.url).writeAgentReport(member("w1"), report));
    expect(dropped).toMatch(
      outdated === null ? /^stored$/ : new RegExp(`bootcnodes.node.bootc.dev: drops status.${outdated}, ${fix}`),
    );
  });
});

/** Returns the message of a `CrdOutdated`; "stored" if nothing fails. */
function failureOf(write: Promise<unknown>): Promise<string> {
  return write.then(
    () => "stored",
    (error: Error) => {
      if (error.name !== "CrdOutdated") throw error;
      return error.message;
    },
  );
}
