import { expect, test } from "vitest";
import { emptyBookkeeping } from "../../../functions/domain/bookkeeping.ts";
import { before, pathOf, type Kind } from "../cluster-fixtures.ts";
import { look, make, read, write, type At } from "./bench.ts";

export function reading(at: At, kind: Kind): void {
  const isClaw = kind === "Claw";
  const prefix = isClaw ? "claw.prismer.ai" : "pawl.dev";

  test("a workload at rest has the defaults and no past", async () => {
    const ref = await make(at(), kind);
    expect(await read(at(), ref)).toMatchObject({
      ref,
      policy: {
        enabled: true,
        paused: false,
        versionConstraint: null,
        schedule: isClaw ? "0 3 * * *" : null,
        tagPattern: null,
        healthTimeoutSeconds: 600,
        maxRollbacks: 3,
        rollsBackDigests: false,
      },
      problems: [],
      source: isClaw ? "ghcr.io/prismer-ai/k8s4claw-openclaw" : before,
      image: isClaw ? null : before,
      inFlight: null,
      bookkeeping: emptyBookkeeping,
      announced: { held: null, problem: null },
    });
  });

  test("it is read at the resourceVersion that it carries", async () => {
    const ref = await make(at(), kind);
    await expect
      .poll(async () => (await read(at(), ref)).resourceVersion === (await look(at(), ref)).metadata?.resourceVersion)
      .toBe(true);
  });

  test("a policy is read as its owner wrote it", async () => {
    const written = { versionConstraint: "^1.0.0", schedule: "@daily", healthTimeout: "5m" };
    const annotations = {
      "pawl.dev/version-constraint": "^1.0.0",
      "pawl.dev/schedule": "@daily",
      "pawl.dev/health-timeout": "5m",
      "pawl.dev/max-rollbacks": "7",
    };
    const paused = { "pawl.dev/paused": "true" };
    const ref = await make(at(), kind, {
      annotations: isClaw ? paused : { ...annotations, ...paused },
      autoUpdate: { ...written, maxRollbacks: 7 },
    });
    const { policy, problems } = await read(at(), ref);
    expect({ policy, problems }).toEqual({
      policy: {
        enabled: true,
        paused: true,
        versionConstraint: "^1.0.0",
        schedule: "@daily",
        tagPattern: null,
        healthTimeoutSeconds: 300,
        maxRollbacks: 7,
        rollsBackDigests: false,
        canary: null,
        analysis: null,
      },
      problems: [],
    });
  });

  test.for([
    {
      when: "set by hand",
      phase: "HealthCheck",
      started: "2026-11-20T12:00:00Z",
      at: new Date("2026-11-20T12:00:00Z"),
    },
    {
      when: "begun in another zone",
      phase: "HealthCheck",
      started: "2026-11-20T13:00:00+01:00",
      at: new Date("2026-11-20T12:00:00Z"),
    },
    { when: "begun at no time", phase: "HealthCheck", started: "not-a-time", at: "malformed" },
    { when: "of another phase", phase: "Updating", started: "2026-11-20T12:00:00Z", at: null },
  ])("marks $when", async ({ phase, started, at: startedAt }) => {
    const annotations = {
      [`${prefix}/target-image`]: "app:2.0.0",
      [`${prefix}/update-phase`]: phase,
      [`${prefix}/update-started`]: started,
    };
    const ref = await make(at(), kind, { annotations });
    const marks = {
      targetImage: "app:2.0.0",
      startedAt,
      execution: null,
      previousImage: null,
      digests: null,
      phase: "rollout",
    };
    expect((await read(at(), ref)).inFlight).toEqual(startedAt === null ? null : marks);
  });

  test("another object of the same name is not it, and a deleted one is gone", async () => {
    const ref = await make(at(), kind);
    expect(await at().cluster.read({ ...ref, uid: "00000000-0000-0000-0000-000000000000" })).toBeNull();
    expect(await at().cluster.read({ ...ref, name: "nobody" })).toBeNull();
    await at().request("DELETE", `${pathOf(ref)}?propagationPolicy=Background`);
    await expect.poll(() => at().cluster.read(ref)).toBeNull();
    const again = await make(at(), kind);
    expect(await at().cluster.read(ref)).toBeNull();
    expect(await read(at(), again)).toMatchObject({ ref: again });
  });

  test("what it announced last stands on it", async () => {
    const ref = await make(at(), kind);
    const annotations = { "pawl.dev/held": "why not", "pawl.dev/problem": "what is wrong" };
    await write(at(), ref, { metadata: { annotations } });
    expect((await read(at(), ref)).announced).toEqual({ held: "why not", problem: "what is wrong" });
  });
}
