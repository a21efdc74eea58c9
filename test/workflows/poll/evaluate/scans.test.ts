import { describe, expect, test } from "vitest";
import type { Candidate } from "../../../../functions/domain/gates/candidate.ts";
import type { ScanPolicy, ScanResult } from "../../../../functions/domain/gates/scan.ts";
import { formatRfc3339 } from "../../../../functions/domain/text/rfc3339.ts";
import type { Decision } from "../../../../functions/domain/workload/decision/decision.ts";
import type { DigestTracking } from "../../../../functions/domain/workload/digest/tracking.ts";
import { readDefaultPolicy, withDefaults } from "../../../../functions/domain/workload/policy/defaults.ts";
import { parsePolicy } from "../../../../functions/domain/workload/policy/policy.ts";
import { RepositoryNotFound, Unreachable } from "../../../../functions/ports/errors.ts";
import { createEvaluator } from "../../../../functions/workflows/poll/evaluate/create-evaluator.ts";
import { fakePorts, type FakeOptions } from "../../../support/fake-ports.ts";
import { noon, type WorkloadParts } from "../../../support/workloads.ts";
import { idleWorkload } from "../fixtures.ts";

const rules = {
  defaultSchedule: null,
  defaultToleranceSeconds: null,
  canaryUnavailableReason: null,
  minHealthTimeoutSeconds: 1,
  maxHealthTimeoutSeconds: 86_400,
};
const scan: ScanPolicy = { maxSeverity: "HIGH", newOnly: true, timeoutSeconds: 3600, onUnknown: "hold" };
const source = "registry.example/shop/web:1.0.0";
const digestOf = (name: string) => `sha256:${Buffer.from(name).toString("hex").padEnd(64, "0").slice(-64)}`;
const ofVersion = (version: string) => digestOf(`registry.example/shop/web:${version}`);
const found = (...names: readonly string[]): ScanResult => ({
  kind: "complete",
  findings: names.map((name) => ({ name, severity: "CRITICAL" })),
});
const running = [{ container: "web", digest: ofVersion("1.0.0"), image: source }];

interface Situation extends Omit<FakeOptions, "scans"> {
  readonly tags?: { readonly "shop/web": readonly string[] };
  readonly candidates?: readonly Candidate[];
  readonly policy?: WorkloadParts["policy"];
  readonly parts?: WorkloadParts;
  /** By version. */
  readonly scanned?: Readonly<Record<string, ScanResult | Error>>;
  /** Whether the registry says when it received each version: at noon. */
  readonly pushed?: boolean;
}

async function decide({ candidates = [], policy, parts, scanned, pushed = true, ...options }: Situation) {
  const asked: string[] = [];
  const names = new Map(
    Object.keys(scanned ?? {}).map((name) => [name.startsWith("sha256:") ? name : ofVersion(name), name]),
  );
  const ports = fakePorts({
    tags: { "shop/web": ["1.0.0", "1.1.0", "1.2.0"] },
    digests: (name) => [name.includes("@") ? name.replace(/^.*@/, "") : digestOf(name)],
    running,
    ...options,
    ...(scanned === undefined
      ? {}
      : {
          scans: (image: string) => {
            const digest = image.replace(/^.*@/, "");
            const name = names.get(digest) ?? digest;
            asked.push(name);
            return scanned[name] ?? { kind: "unknown", reason: "nobody scanned it" };
          },
        }),
  });
  const at = formatRfc3339(noon);
  const registry = pushed
    ? {
        ...ports.registry,
        pushTimes: async (_image: unknown, versions: readonly string[]) =>
          new Map(versions.map((version) => [version, { digest: ofVersion(version), at }])),
      }
    : ports.registry;
  const web = { ...idleWorkload("web", source, { policy: { scan, ...policy }, ...parts }), candidates };
  const evaluate = createEvaluator({ ...ports, registry });
  return { decision: await evaluate(web), asked, again: () => evaluate(web) };
}

function chosen(decision: Decision): string {
  if (decision.kind === "update") return decision.target.image.split(":").at(-1) ?? "";
  return decision.kind === "hold" ? `${decision.gates?.[0]?.reason}` : decision.kind;
}

test.for<Situation & { when: string; version: string; asks: readonly string[] }>([
  { when: "nothing was found", scanned: { "1.2.0": found() }, version: "1.2.0", asks: ["1.2.0"] },
  {
    when: "the newest has findings, and the one before has none",
    scanned: { "1.2.0": found("CVE-1"), "1.1.0": found(), "1.0.0": found() },
    version: "1.1.0",
    asks: ["1.2.0", "1.0.0", "1.1.0"],
  },
  {
    when: "the running image has the same",
    scanned: { "1.2.0": found("CVE-1"), "1.0.0": found("CVE-1") },
    version: "1.2.0",
    asks: ["1.2.0", "1.0.0"],
  },
  {
    when: "what the running image has does not count",
    policy: { scan: { ...scan, newOnly: false } },
    scanned: { "1.2.0": found("CVE-1"), "1.1.0": found("CVE-1") },
    version: "FindingsFound",
    asks: ["1.2.0", "1.1.0"],
  },
  {
    when: "what runs is not known",
    running: [],
    scanned: { "1.2.0": found("CVE-1"), "1.1.0": found("CVE-1") },
    version: "FindingsFound",
    asks: ["1.2.0", "1.1.0"],
  },
  {
    when: "the runtime reports only the digest of a configuration, or of another repository",
    running: [
      { container: "web", digest: "sha256:c", image: source, isConfig: true },
      { container: "proxy", digest: "sha256:p", image: "registry.example/shop/proxy:1" },
      { container: "lost", digest: "sha256:l" },
    ],
    scanned: { "1.2.0": found("CVE-1"), "1.1.0": found("CVE-1") },
    version: "FindingsFound",
    asks: ["1.2.0", "1.1.0"],
  },
  {
    when: "the running image was deleted",
    digests: (name) => {
      const digest = name.includes("@") ? name.replace(/^.*@/, "") : digestOf(name);
      return digest === ofVersion("1.0.0") ? new RepositoryNotFound("1.0.0 was deleted") : [digest];
    },
    scanned: { "1.2.0": found("CVE-1"), "1.1.0": found("CVE-1") },
    version: "FindingsFound",
    asks: ["1.2.0", "1.1.0"],
  },
  {
    when: "every version has findings: five are asked about",
    tags: { "shop/web": Array.from({ length: 12 }, (_, index) => `1.${index}.0`) },
    scanned: Object.fromEntries(
      Array.from({ length: 12 }, (_, index) => [`1.${index}.0`, found(index === 0 ? "CVE-0" : "CVE-1")]),
    ),
    version: "FindingsFound",
    asks: ["1.11.0", "1.0.0", "1.10.0", "1.9.0", "1.8.0", "1.7.0"],
  },
  {
    when: "the scan of the newest is pending, and the one before has passed",
    scanned: { "1.2.0": { kind: "pending", reason: "PENDING" }, "1.1.0": found() },
    version: "1.1.0",
    asks: ["1.2.0", "1.1.0"],
  },
  {
    when: "nobody has scanned any",
    scanned: {},
    version: "ScanUnknown",
    asks: [ofVersion("1.2.0"), ofVersion("1.1.0")],
  },
  {
    when: "nobody has scanned any, which is allowed",
    policy: { scan: { ...scan, onUnknown: "allow" } },
    scanned: {},
    version: "1.2.0",
    asks: [ofVersion("1.2.0")],
  },
  { when: "no registry has scans", pushed: false, version: "ScanUnknown", asks: [] },
  {
    when: "no registry has scans, and a poll has recorded one",
    pushed: false,
    candidates: [
      {
        version: "1.2.0",
        digest: ofVersion("1.2.0"),
        since: formatRfc3339(noon),
        scan: { verdict: "passed", message: "" },
      },
    ],
    version: "1.2.0",
    asks: [],
  },
  {
    when: "no registry has scans, and a poll has recorded one of another digest",
    pushed: false,
    candidates: [
      { version: "1.2.0", digest: "sha256:b", since: formatRfc3339(noon), scan: { verdict: "passed", message: "" } },
    ],
    version: "ScanUnknown",
    asks: [],
  },
  {
    when: "another gate holds all: nothing is asked",
    policy: { minimumReleaseAgeSeconds: 60 },
    scanned: {},
    version: "TooYoung",
    asks: [],
  },
  {
    when: "an index has two platforms, one of which has findings",
    platforms: () => ["linux/amd64", "linux/arm64"],
    scanned: { "sha256:linux/amd64": found(), "sha256:linux/arm64": found("CVE-1") },
    policy: { scan: { ...scan, newOnly: false } },
    version: "FindingsFound",
    asks: ["sha256:linux/amd64", "sha256:linux/arm64"],
  },
  {
    when: "its nodes need the other one",
    platforms: () => ["linux/amd64", "linux/arm64"],
    parts: { nodes: { os: null, architectures: ["amd64"] }, policy: { scan } },
    scanned: { "sha256:linux/amd64": found(), "sha256:linux/arm64": found("CVE-1") },
    version: "1.2.0",
    asks: ["sha256:linux/amd64"],
  },
  {
    when: "an index has very many platforms",
    platforms: () => Array.from({ length: 11 }, (_, index) => `linux/${index}`),
    scanned: {},
    version: "ScanUnknown",
    asks: [],
  },
])("if $when: $version", async ({ version, asks, ...situation }) => {
  const { decision, asked } = await decide(situation);
  expect(chosen(decision)).toBe(version);
  expect([...new Set(asked)]).toEqual(asks);
});

test("what was found is recorded with the version, whose digest is written", async () => {
  const { decision } = await decide({ scanned: { "1.2.0": found() } });
  expect(decision).toMatchObject({
    target: { digest: ofVersion("1.2.0"), pinned: true },
    candidates: [{ version: "1.2.0", scan: { verdict: "passed" } }],
  });
  const held = await decide({ scanned: { "1.2.0": found("CVE-1"), "1.1.0": found("CVE-2") } });
  expect(held.decision).toMatchObject({
    reason: "awaiting-scan",
    detail: "the scan of 1.2.0 has found CVE-1 (CRITICAL); of the running image, nobody scanned it",
    candidates: [{ version: "1.2.0", scan: { verdict: "findings" } }],
  });
});

test("each digest is asked about once in a poll", async () => {
  const { asked, again } = await decide({ scanned: { "1.2.0": found() } });
  await again();
  expect(asked).toEqual(["1.2.0"]);
});

test("without an answer about the running image nothing is decided", async () => {
  const digests = (name: string) => {
    const digest = name.includes("@") ? name.replace(/^.*@/, "") : digestOf(name);
    return digest === ofVersion("1.0.0") ? new Unreachable("no answer") : [digest];
  };
  await expect(decide({ digests, scanned: { "1.2.0": found("CVE-1") } })).rejects.toThrow("no answer");
});

test("a deployment enforces it", async () => {
  const enforced = readDefaultPolicy({ scan: { maxSeverity: "HIGH" } }, "defaults[0]");
  const raw = withDefaults({}, "shop", [{ namespaces: null, enforced: true, policy: enforced }]);
  const { policy } = parsePolicy(raw, "yes", rules);
  const { decision } = await decide({ policy, scanned: { "1.2.0": found("CVE-1"), "1.1.0": found("CVE-1") } });
  expect(chosen(decision)).toBe("FindingsFound");
});

describe("a digest of a tag that moved", () => {
  const image = "registry.example/shop/web:stable";
  const tracking: DigestTracking = {
    containers: [{ name: "web", image }],
    deployed: { web: digestOf("before") },
    previous: [],
    reverted: null,
    initialDigestPolicy: "adopt",
    isBlockedByFinalizer: false,
  };
  const now = digestOf(image);

  test.for([
    { when: "has findings", result: found("CVE-1"), version: "FindingsFound" },
    { when: "has those of the running one", result: found("CVE-0"), version: "stable" },
    { when: "has none", result: found(), version: "stable" },
  ])("that $when", async ({ result, version }) => {
    const parts = { policy: { scan }, source: null, image, digests: tracking };
    const before = [{ container: "web", digest: digestOf("before"), image }];
    const { decision } = await decide({
      parts,
      running: before,
      pushed: false,
      scanned: { [now]: result, [digestOf("before")]: found("CVE-0") },
    });
    expect(chosen(decision)).toBe(version);
    expect(decision).toMatchObject({ candidates: [{ version: image, digest: now }] });
  });
});
