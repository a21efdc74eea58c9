import { expect, test } from "vitest";
import { emptyUpdateRecord } from "../../../functions/domain/workload/record/update-record.ts";
import { before, pathOf, type Kind } from "../cluster-fixtures.ts";
import { getObject, createWorkload, read, type At } from "./harness.ts";

export function testReading(at: At, kind: Kind): void {
  const isClaw = kind === "Claw";

  test("an idle workload has the defaults and no history", async () => {
    const ref = await createWorkload(at(), kind);
    expect(await read(at(), ref)).toMatchObject({
      ref,
      policy: {
        optIn: "yes",
        paused: false,
        versionConstraint: null,
        versioning: isClaw ? "semver" : null,
        variant: null,
        schedule: isClaw ? "0 3 * * *" : null,
        tagPattern: null,
        healthTimeoutSeconds: 600,
        maxRollbacks: 3,
        onFailure: isClaw ? "tryOlder" : "hold",
        rollsBackDigests: false,
      },
      problems: [],
      source: isClaw ? "ghcr.io/prismer-ai/k8s4claw-openclaw" : before,
      image: isClaw ? null : before,
      inFlight: null,
      updateRecord: emptyUpdateRecord,
      lastReported: { held: null, problem: null },
    });
  });

  test("it is read with its resourceVersion", async () => {
    const ref = await createWorkload(at(), kind);
    await expect
      .poll(
        async () => (await read(at(), ref)).resourceVersion === (await getObject(at(), ref)).metadata?.resourceVersion,
        { timeout: 60_000 },
      )
      .toBe(true);
  });

  test("one of another cluster is never looked for in this one", async () => {
    const ref = await createWorkload(at(), kind);
    await expect(at().cluster.readNamed({ ...ref, cluster: "staging" })).rejects.toMatchObject({
      name: "Forbidden",
      message: expect.stringContaining("cluster staging is not a peer"),
    });
  });

  test("a policy is read", async () => {
    const written = { versionConstraint: "^1.0.0", schedule: "@daily", healthTimeout: "5m" };
    const annotations = {
      "pawl.dev/version-constraint": "^1.0.0",
      "pawl.dev/versioning": "semver",
      "pawl.dev/variant": "alpine*",
      "pawl.dev/schedule": "@daily",
      "pawl.dev/health-timeout": "5m",
      "pawl.dev/max-rollbacks": "7",
    };
    const onAny = { "pawl.dev/paused": "true", "pawl.dev/notify": "team-a, team-b" };
    const ref = await createWorkload(at(), kind, {
      annotations: isClaw ? onAny : { ...annotations, ...onAny },
      autoUpdate: { ...written, maxRollbacks: 7 },
    });
    const { policy, problems } = await read(at(), ref);
    expect({ policy, problems }).toEqual({
      policy: {
        optIn: "yes",
        paused: true,
        versionConstraint: "^1.0.0",
        versioning: "semver",
        variant: isClaw ? null : "alpine*",
        schedule: "@daily",
        scheduleToleranceSeconds: isClaw ? null : 3600,
        windows: [],
        wave: 0,
        rollsBackAtWindowEnd: false,
        tagPattern: null,
        healthTimeoutSeconds: 300,
        podPauseSeconds: 2,
        scaleDownDelaySeconds: 30,
        maxRollbacks: 7,
        maxRestarts: 3,
        onFailure: isClaw ? "tryOlder" : "hold",
        rollsBackDigests: false,
        canary: null,
        canarySteps: [],
        analysis: null,
        bake: null,
        notify: ["team-a", "team-b"],
        hooks: { pre: null, post: null },
      },
      problems: [],
    });
  });

  test("a recreated or deleted object is null", async () => {
    const ref = await createWorkload(at(), kind);
    expect(await at().cluster.read({ ...ref, uid: "00000000-0000-0000-0000-000000000000" })).toBeNull();
    expect(await at().cluster.read({ ...ref, name: "missing" })).toBeNull();
    await at().request("DELETE", `${pathOf(ref)}?propagationPolicy=Background`);
    await expect.poll(() => at().cluster.read(ref), { timeout: 60_000 }).toBeNull();
    const again = await createWorkload(at(), kind);
    expect(await at().cluster.read(ref)).toBeNull();
    expect(await read(at(), again)).toMatchObject({ ref: again });
  });
}
