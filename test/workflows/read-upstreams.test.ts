import { describe, expect, test } from "vitest";
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

function rule(namespace: string | null, name: string, cluster: string | null = null): AfterRule {
  return { cluster, namespace, kind: "Deployment", name, soakSeconds: 3600, sameDigest: true };
}

const web = named("shop", "web", { policy: { after: [rule("staging", "web")] } });
const visible = { visibleTo: ["shop"] };

async function read(found: readonly Workload[], error?: Error) {
  const upstreams = await readUpstreams(
    {
      name: "production",
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

describe("a workload of a peer", () => {
  const ofPeer = [rule("staging", "web", "eu")];
  const waiting = named("shop", "web", { policy: { after: ofPeer } });
  const consents = { visibleTo: ["production/shop"] };

  /** Workloads by the cluster that a request names; an error is thrown for it. */
  async function readPeer(found: Readonly<Record<string, Workload | Error>>) {
    const upstreams = await readUpstreams(
      {
        name: "production",
        async readNamed({ cluster, namespace, name }) {
          const one = found[`${cluster ?? "own"}/${namespace}/${name}`] ?? null;
          if (one instanceof Error) throw one;
          return one;
        },
      },
      waiting,
    );
    return upstreams.get("deployment/staging/web of cluster eu");
  }

  test.for<{ when: string; found: Readonly<Record<string, Workload | Error>>; upstream: object }>([
    {
      when: "consents to the namespace in this cluster",
      found: { "eu/staging/web": named("staging", "web", { policy: consents }) },
      upstream: { kind: "known" },
    },
    {
      when: "consents to a namespace of its own cluster only",
      found: { "eu/staging/web": named("staging", "web", { policy: visible }) },
      upstream: { kind: "unknown", reason: expect.stringContaining("sets pawl.dev/visible-to: production/shop") },
    },
    {
      when: "is only in this cluster",
      found: { "own/staging/web": named("staging", "web", { policy: consents }) },
      upstream: { kind: "unknown", reason: expect.stringContaining("of cluster eu does not exist") },
    },
    {
      when: "is in a peer that does not answer",
      found: { "eu/staging/web": new Unreachable("no answer in 10 s") },
      upstream: { kind: "unknown", reason: expect.stringContaining("no answer in 10 s") },
    },
    {
      when: "is in a cluster that is no peer",
      found: { "eu/staging/web": new Forbidden("cluster eu is not a peer") },
      upstream: { kind: "unknown", reason: expect.stringContaining("cluster eu is not a peer") },
    },
    {
      when: "waits for the first one, across the clusters",
      found: {
        "eu/staging/web": named("staging", "web", {
          policy: { ...consents, after: [rule("test", "web"), rule("shop", "web", "production")] },
        }),
        "eu/test/web": named("test", "web"),
      },
      upstream: {
        kind: "unknown",
        reason: expect.stringContaining(
          "deployment/shop/web after deployment/staging/web of cluster eu after deployment/shop/web",
        ),
      },
    },
    {
      when: "waits for one of the same name in its own cluster",
      found: {
        "eu/staging/web": named("staging", "web", { policy: { ...consents, after: [rule("shop", "web")] } }),
        "eu/shop/web": named("shop", "web"),
      },
      upstream: { kind: "known" },
    },
  ])("$when", async ({ found, upstream }) => {
    expect(await readPeer(found)).toMatchObject(upstream);
  });
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

test.for<{ when: string; found: Workload | Error | null; kind?: string; isHeld: boolean }>([
  { when: "failed in the workload of the same name of a peer", found: failedIn("1.1.0"), isHeld: true },
  { when: "failed with another version", found: failedIn("1.0.5"), isHeld: false },
  { when: "is not known, because the peer does not answer", found: new Unreachable("no answer"), isHeld: true },
  { when: "is not there", found: null, isHeld: false },
  { when: "is asked of no Claw", found: failedIn("1.1.0"), kind: "Claw", isHeld: false },
])("a version that $when is held: $isHeld", async ({ found, kind = "Deployment", isHeld }) => {
  const app = named("shop", "app");
  const subject = { ...app, ref: { ...app.ref, kind } };
  const ports = fakePorts({ workloads: [subject], tags: { "shop/app": ["1.0.0", "1.1.0"] } });
  const asked: object[] = [];
  const cluster = {
    ...ports.cluster,
    haltPeers: ["eu"],
    async readNamed(of: object) {
      asked.push(of);
      if (found instanceof Error) throw found;
      return found;
    },
  };
  const decision = await createEvaluator({ ...ports, cluster })(subject);
  expect(decision).toMatchObject(
    isHeld ? { kind: "hold", reason: "halted", gates: [{ name: "haltedElsewhere" }] } : { kind: "update" },
  );
  expect(asked).toEqual(kind === "Claw" ? [] : [{ cluster: "eu", kind, namespace: "shop", name: "app" }]);
});

function failedIn(version: string): Workload {
  return named("shop", "app", { updateRecord: { failedVersions: [version] } });
}
