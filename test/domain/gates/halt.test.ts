import { describe, expect, test } from "vitest";
import { collectOutcomes, createDeploymentHaltGate, createHaltGate } from "../../../functions/domain/gates/halt.ts";
import { recordedGates } from "../../../functions/domain/gates/recorded-gates.ts";
import { isHeldByGate } from "../../../functions/domain/gates/gates.ts";
import { hold } from "../../../functions/domain/workload/decision/decision.ts";
import type { HaltSettings } from "../../../functions/domain/gates/limits/limit-settings.ts";
import { versionOfTarget } from "../../../functions/domain/workload/target/target.ts";
import type { Workload } from "../../../functions/domain/workload/workload.ts";
import { after, noon, updateTarget, workload, type WorkloadParts } from "../../support/workloads.ts";

const failed = { failedVersions: ["1.1.0"] };
const repository = "registry.example/shop/app";

function named(name: string, parts: WorkloadParts = { updateRecord: failed }, namespace = "shop") {
  const { ref } = workload();
  return workload({ ...parts, ref: { ...ref, name, namespace } });
}

const [a, b] = [`sha256:${"a".repeat(64)}`, `sha256:${"b".repeat(64)}`];
const entry = (status: "RolledBack" | "Healthy", minutes: number, digest = "") => ({
  version: "1.1.0",
  appliedAt: after(minutes),
  finishedAt: after(minutes + 1),
  status,
  image: `${repository}:1.1.0${digest && `@${digest}`}`,
});
const failedWith = (name: string, digest: string) =>
  named(name, { updateRecord: { ...failed, versionHistory: [entry("RolledBack", -9, digest)] } });
const retried = (name: string, ...more: readonly ReturnType<typeof entry>[]) =>
  named(name, { updateRecord: { versionHistory: [entry("RolledBack", -9), ...more] } });

describe("a version is held if it has failed elsewhere", () => {
  test.for([
    { when: "in two workloads of the namespace", others: [named("a"), named("b")], closed: true },
    { when: "in one workload", others: [named("a"), named("b", {})], closed: false },
    { when: "in nothing", others: [], closed: false },
    { when: "in two, one of another namespace", others: [named("a"), named("b", undefined, "other")], closed: false },
    {
      when: "in two, one of another repository",
      others: [named("a"), named("b", { source: "registry.example/shop/other:1.0.0", updateRecord: failed })],
      closed: false,
    },
    {
      when: "in two, one of which has no source",
      others: [named("a"), named("b", { source: null, image: `${repository}:1.0.0`, updateRecord: failed })],
      closed: true,
    },
    {
      when: "in two, whose images are not known or invalid",
      others: [
        named("a", { source: null, image: null, updateRecord: failed }),
        named("b", { source: "::", updateRecord: failed }),
      ],
      closed: false,
    },
  ])("$when: $closed", ({ others, closed }) => {
    const gate = createHaltGate(collectOutcomes(others));
    expect(gate.evaluate(named("web", {}), updateTarget, noon) !== null).toBe(closed);
  });

  test.for<{ when: string; others: readonly Workload[]; digest?: string; settings?: HaltSettings; closed: boolean }>([
    { when: "as this digest", others: [failedWith("a", a), failedWith("b", a)], digest: a, closed: true },
    { when: "as another digest", others: [failedWith("a", a), failedWith("b", a)], digest: b, closed: false },
    { when: "as a digest, and its own is not known", others: [failedWith("a", a), failedWith("b", b)], closed: true },
    { when: "in one, which is enough", others: [named("a")], settings: { haltAfter: 1 }, closed: true },
    { when: "in two of three", others: [named("a"), named("b")], settings: { haltAfter: 3 }, closed: false },
    { when: "in one, and another tries it again", others: [named("a"), retried("b")], closed: true },
    { when: "in some, all of which try it again", others: [retried("a"), retried("b")], closed: false },
    {
      when: "in two after one recovered",
      others: [failedWith("a", ""), failedWith("b", ""), retried("c", entry("Healthy", -30))],
      closed: true,
    },
    {
      when: "in two, without a time, and another one recovered",
      others: [named("a"), named("b"), retried("c", { ...entry("Healthy", 0), finishedAt: after(1) })],
      closed: false,
    },
    {
      when: "in two of the cluster, of another namespace",
      others: [named("a", undefined, "x"), named("b", undefined, "x")],
      settings: { haltScope: "cluster" },
      closed: false,
    },
  ])("$when: $closed", ({ others, digest, settings, closed }) => {
    const gate = createHaltGate(collectOutcomes(others), settings);
    const target = digest === undefined ? updateTarget : { ...updateTarget, digest };
    expect(gate.evaluate(named("web", {}), target, noon) !== null).toBe(closed);
  });

  test("but in a workload in which a person retries it", () => {
    const gate = createHaltGate(collectOutcomes([named("a"), retried("b")]));
    expect(gate.evaluate(retried("b"), updateTarget, noon)).toBeNull();
    expect(gate.evaluate(named("web", {}), updateTarget, noon)).not.toBeNull();
  });

  test("by another digest that is pulled again, and says where in the cluster", () => {
    const others = [named("b", undefined, "x"), named("a")];
    const gate = createHaltGate(collectOutcomes(others), { haltScope: "cluster" });
    const message = "1.1.0 has failed in 2 workloads of 2 namespaces";
    const own = { message: `${message}: deployment/a`, liftedBy: "pawl retry of deployment/a" };
    expect(gate.evaluate(named("web", {}), updateTarget, noon)).toMatchObject(own);
    const elsewhere = { message, liftedBy: "pawl retry of one that has failed" };
    expect(gate.evaluate(named("web", {}, "z"), updateTarget, noon)).toMatchObject(elsewhere);
    const digestTarget = { kind: "digest", image: updateTarget.image, digest: a } as const;
    expect(gate.evaluate(named("web", {}), digestTarget, noon)).toBeNull();
    const restarts = ["a", "b"].map((name) =>
      named(name, { updateRecord: { failedVersions: [versionOfTarget(digestTarget)] } }),
    );
    expect(createHaltGate(collectOutcomes(restarts)).evaluate(named("web", {}), digestTarget, noon)).not.toBeNull();
  });

  test("and says where", () => {
    const gate = createHaltGate(collectOutcomes([named("b"), named("a")]));
    expect(gate.evaluate(named("web", {}), updateTarget, noon)).toEqual({
      reason: "HaltedElsewhere",
      message: "1.1.0 has failed in 2 workloads of the namespace: deployment/a, deployment/b",
      liftedBy: "pawl retry of deployment/a",
    });
    expect(gate.evaluate(named("web", {}), null, noon)).toBeNull();
    expect(isHeldByGate(hold("halted", ""))).toBe(true);
  });
});

test("alone, a workload shows the gate as a poll has recorded it", () => {
  const closed = { reason: "HaltedElsewhere", message: "1.1.0 has failed in 2 workloads" };
  const recorded = named("web", { gates: [{ name: "haltedElsewhere", ...closed }] });
  const evaluated = recordedGates(recorded).map((gate) => [gate.name, gate.evaluate(recorded, updateTarget, noon)]);
  expect(evaluated).toEqual([["haltedElsewhere", closed]]);
  expect(recordedGates(named("web"))).toEqual([]);
});

describe("a version is held if it has failed in the workload of the same name", () => {
  const other = { ...named("web"), source: `${repository}-other:1.0.0` };
  const ofDigest = (source: string, found: string) => {
    const history = [{ ...entry("RolledBack", 0), image: `${source}:1.1.0@${found}` }];
    return { ...named("web", { updateRecord: { ...failed, versionHistory: history } }), source: `${source}:1.0.0` };
  };
  test.for<{
    when: string;
    same: Readonly<Record<string, Workload | string | null>>;
    target?: null;
    own?: Workload;
    message: string | null;
  }>([
    { when: "nowhere: there are no peers", same: {}, message: null },
    { when: "nowhere: no peer has it", same: { eu: null }, message: null },
    { when: "nowhere: it has not failed", same: { eu: named("web", {}) }, message: null },
    {
      when: "in a peer whose template names the image",
      same: { eu: { ...named("web"), source: null, image: `${repository}:1.0.0` } },
      message: "1.1.0 has failed in deployment/shop/web of cluster eu",
    },
    {
      when: "in a peer of which nothing is known but that",
      same: { eu: { ...named("web"), source: null, image: null } },
      message: null,
    },
    { when: "elsewhere, of another repository", same: { eu: other }, message: null },
    {
      when: "in a peer that pulls it from a mirror: the digest is the same",
      same: { eu: ofDigest("mirror.example/app", a) },
      message: "1.1.0 has failed in deployment/shop/web of cluster eu",
    },
    { when: "here too, where a person retries it", same: { eu: named("web") }, own: retried("web"), message: null },
    { when: "elsewhere, but nothing newer is known", same: { eu: named("web") }, target: null, message: null },
    {
      when: "perhaps: a peer does not answer",
      same: { eu: "no answer" },
      message: "whether 1.1.0 has failed in cluster eu is not known: no answer",
    },
  ])("$when", ({ same, target = { ...updateTarget, digest: a }, own = named("web", {}), message }) => {
    const closed = createDeploymentHaltGate(new Map(Object.entries(same))).evaluate(own, target, noon);
    expect(closed?.message ?? null).toBe(message);
    expect(closed?.reason ?? "HaltedElsewhere").toBe("HaltedElsewhere");
  });
});
