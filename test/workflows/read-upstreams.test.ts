import { expect, test } from "vitest";
import type { AfterRule } from "../../functions/domain/gates/after-policy.ts";
import type { Workload } from "../../functions/domain/workload/workload.ts";
import { Forbidden, Unreachable } from "../../functions/ports/errors.ts";
import { createEvaluator } from "../../functions/workflows/poll/evaluate/create-evaluator.ts";
import { readUpstreams } from "../../functions/workflows/read-upstreams.ts";
import { fakePorts } from "../support/fake-ports.ts";
import { after, workload, type WorkloadParts } from "../support/workloads.ts";

const digest = `sha256:${"a".repeat(64)}`;

function named(namespace: string, name: string, parts: WorkloadParts = {}): Workload {
  const found = workload(parts);
  return { ...found, ref: { ...found.ref, namespace, name, uid: `${namespace}/${name}` } };
}

function rule(namespace: string | null, name: string): AfterRule {
  return { namespace, kind: "Deployment", name, soakSeconds: 3600, sameDigest: true };
}

const web = named("shop", "web", { policy: { after: [rule("staging", "web")] } });
const visible = { visibleTo: ["shop"] };

async function read(found: readonly Workload[], error?: Error) {
  const upstreams = await readUpstreams(
    {
      readNamed: async ({ namespace, name }) => {
        if (error !== undefined) throw error;
        return found.find(({ ref }) => ref.namespace === namespace && ref.name === name) ?? null;
      },
    },
    web,
  );
  return upstreams.get("deployment/staging/web");
}

test.for<{ when: string; found: readonly Workload[]; error?: Error; upstream: object }>([
  {
    when: "it does not exist",
    found: [],
    upstream: { kind: "unknown", reason: expect.stringContaining("does not exist") },
  },
  {
    when: "it is not enabled",
    found: [named("staging", "web", { policy: { ...visible, optIn: "no" } })],
    upstream: { kind: "unknown", reason: expect.stringContaining("does not exist, or Pawl is not enabled") },
  },
  {
    when: "it does not consent",
    found: [named("staging", "web")],
    upstream: { kind: "unknown", reason: expect.stringContaining("sets pawl.dev/visible-to: shop") },
  },
  {
    when: "it consents to another namespace",
    found: [named("staging", "web", { policy: { visibleTo: ["team-b"] } })],
    upstream: { kind: "unknown" },
  },
  { when: "it consents", found: [named("staging", "web", { policy: visible })], upstream: { kind: "known" } },
  {
    when: "Pawl must not read it",
    found: [],
    error: new Forbidden("403 forbidden"),
    upstream: { kind: "unknown", reason: expect.stringContaining("403 forbidden") },
  },
  {
    when: "it waits for the first one again",
    found: [
      named("staging", "web", { policy: { ...visible, after: [rule(null, "gone"), rule("test", "web")] } }),
      named("test", "web", { policy: { after: [rule("staging", "web"), rule("shop", "web")] } }),
    ],
    upstream: {
      kind: "unknown",
      reason: expect.stringContaining(
        "deployment/shop/web after deployment/staging/web after deployment/test/web after deployment/shop/web",
      ),
    },
  },
  {
    when: "others wait for each other",
    found: [
      named("staging", "web", { policy: { ...visible, after: [rule("test", "web")] } }),
      named("test", "web", { policy: { after: [rule("staging", "web")] } }),
    ],
    upstream: { kind: "known" },
  },
])("the workload that another one waits for: $when", async ({ found, error, upstream }) => {
  expect(await read(found, error)).toMatchObject(upstream);
});

test("nothing is decided if the cluster does not answer", async () => {
  await expect(read([], new Unreachable("no answer"))).rejects.toThrow("no answer");
});

test("the newest version with a completed soak is chosen: a staging that moves daily does not starve production", async () => {
  const entry = (version: string, previous: string, from: number, to: number) =>
    ({
      version,
      kind: "image",
      image: `registry.example/shop/app:${version}@${digest}`,
      previousImage: `registry.example/shop/app:${previous}`,
      status: "Healthy",
      appliedAt: after(from),
      finishedAt: after(to),
    }) as const;
  const history = [
    entry("1.1.0", "1.0.0", -600, -590),
    entry("1.2.0", "1.1.0", -400, -390),
    entry("1.3.0", "1.2.0", -30, -20),
  ];
  const staging = named("staging", "web", {
    policy: visible,
    image: "registry.example/shop/app:1.3.0",
    updateRecord: { versionHistory: history },
  });
  const tags = { "shop/app": ["1.0.0", "1.1.0", "1.2.0", "1.3.0", "1.4.0"] };
  const digests = (name: string) => [name.endsWith("1.4.0") ? `sha256:${"b".repeat(64)}` : digest];
  const byTag = [{ ...rule("staging", "web"), sameDigest: false }];
  const production = named("shop", "app", { policy: { after: byTag } });
  const ports = fakePorts({ workloads: [staging, production], tags, digests });
  expect(await createEvaluator(ports)(production)).toMatchObject({
    kind: "update",
    target: { image: "registry.example/shop/app:1.2.0", digest },
    available: "1.4.0",
  });
  const alone = fakePorts({ workloads: [production], tags, digests });
  expect(await createEvaluator(alone)(production)).toMatchObject({
    kind: "hold",
    reason: "awaiting-soak",
    gates: [{ name: "after", reason: "SoakUnknown" }],
  });
});
