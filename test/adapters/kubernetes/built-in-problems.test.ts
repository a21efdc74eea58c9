import { describe, expect, test } from "vitest";
import { before, builtInKinds, type BuiltInKind, type Parts } from "../../contracts/cluster-fixtures.ts";
import { readBuiltIn } from "./reading.ts";

interface Problem {
  readonly written: string;
  readonly why: RegExp;
  /** What is taken meanwhile. */
  readonly read?: object;
}

/** The problem names the annotation and quotes its value. */
const malformed: readonly (Problem & { readonly key: string })[] = [
  { key: "auto-update", written: "yes", why: /neither "true" nor "false"/, read: { policy: { enabled: false } } },
  { key: "auto-update", written: "", why: /neither "true" nor "false"/, read: { policy: { enabled: false } } },
  { key: "auto-update", written: "True", why: /neither "true" nor "false"/, read: { policy: { enabled: false } } },
  { key: "paused", written: "no", why: /neither "true" nor "false"/, read: { policy: { paused: true } } },
  { key: "version-constraint", written: "^one", why: /./ },
  { key: "schedule", written: "at noon", why: /./ },
  { key: "schedule", written: "61 * * * *", why: /./ },
  { key: "tag-pattern", written: "[", why: /./ },
  { key: "health-timeout", written: "10 min", why: /./, read: { policy: { healthTimeoutSeconds: 600 } } },
  {
    key: "health-timeout",
    written: "0s",
    why: /must be from 1s to 24h0m0s/,
    read: { policy: { healthTimeoutSeconds: 600 } },
  },
  {
    key: "health-timeout",
    written: "25h",
    why: /must be from 1s to 24h0m0s/,
    read: { policy: { healthTimeoutSeconds: 600 } },
  },
  { key: "max-rollbacks", written: "-1", why: /whole number, 0 or more/, read: { policy: { maxRollbacks: 3 } } },
  { key: "max-rollbacks", written: "many", why: /whole number, 0 or more/, read: { policy: { maxRollbacks: 3 } } },
  {
    key: "container",
    written: "web",
    why: /no such container, there are app, sidecar/,
    read: { image: null, source: null },
  },
  { key: "last-check", written: "yesterday", why: /an RFC3339 time/, read: { bookkeeping: { lastCheck: null } } },
  {
    key: "last-update",
    written: "2026-02-30T00:00:00Z",
    why: /an RFC3339 time/,
    read: { bookkeeping: { lastUpdate: null } },
  },
  {
    key: "rollback-count",
    written: "three",
    why: /a whole number, 0 or more/,
    read: { bookkeeping: { rollbackCount: 0 } },
  },
  {
    key: "rollback-count",
    written: "-1",
    why: /a whole number, 0 or more/,
    read: { bookkeeping: { rollbackCount: 0 } },
  },
  {
    key: "circuit-open",
    written: "maybe",
    why: /must be "true" or "false"/,
    read: { bookkeeping: { circuitOpen: true } },
  },
  {
    key: "version-history",
    written: "junk",
    why: /lines of "version status time"/,
    read: { bookkeeping: { versionHistory: [] } },
  },
  { key: "version-history", written: "1.0.0 Fine 2026-01-02T03:04:05Z", why: /lines of/ },
  { key: "version-history", written: "1.0.0 Healthy 2026-01-02T03:04:05Z\n1.1.0 Healthy", why: /lines of/ },
];

describe.for(builtInKinds)("%s", (kind) => {
  test.for(malformed)('pawl.dev/$key "$written" is a problem', async ({ key, written, why, read = {} }) => {
    const workload = await readBuiltIn(kind, { annotations: { [`pawl.dev/${key}`]: written } });
    expect(workload).toMatchObject(read);
    expect(workload.problems).toEqual([expect.stringContaining(`pawl.dev/${key} "${written}": `)]);
    expect(workload.problems[0]).toMatch(why);
  });

  test("every problem is told at once", async () => {
    const annotations = Object.fromEntries(malformed.map(({ key, written }) => [`pawl.dev/${key}`, written]));
    const { problems } = await readBuiltIn(kind, { annotations });
    expect(problems).toHaveLength(new Set(malformed.map(({ key }) => key)).size);
  });

  test.for([
    { key: "schedule", written: "" },
    { key: "health-timeout", written: "" },
    { key: "max-rollbacks", written: "0" },
    { key: "container", written: "" },
    { key: "rollback-count", written: "" },
    { key: "circuit-open", written: "" },
    { key: "circuit-open", written: "false" },
    { key: "failed-versions", written: " 1.1.0 ,, 1.2.0," },
    { key: "paused", written: "false" },
  ])('pawl.dev/$key "$written" is none', async ({ key, written }) => {
    const { problems, policy, bookkeeping } = await readBuiltIn(kind, {
      annotations: { [`pawl.dev/${key}`]: written },
    });
    expect({ problems, isOpen: bookkeeping.circuitOpen, max: policy.maxRollbacks }).toEqual({
      problems: [],
      isOpen: false,
      max: 3,
    });
    expect(bookkeeping.failedVersions).toEqual(key === "failed-versions" ? ["1.1.0", "1.2.0"] : []);
  });

  test.for(["", "app:", "Shop/App:1.0.0", "app:1.0.0 "])(
    "the image %j is a problem that names the container",
    async (image) => {
      const { problems } = await readBuiltIn(kind, { spec: templateOf({ name: "app", image }) });
      expect(problems).toEqual([expect.stringContaining(`image "${image}" of container app: `)]);
    },
  );

  test("a container without an image is one too", async () => {
    const workload = await readBuiltIn(kind, { spec: templateOf({ name: "app" }) });
    expect(workload).toMatchObject({ image: null, problems: [expect.stringContaining("of container app: ")] });
  });
});

const obstacles: readonly { readonly kind: BuiltInKind; readonly spec: Parts["spec"]; readonly why: RegExp | null }[] =
  [
    { kind: "Deployment", spec: { paused: true }, why: /^spec\.paused: .*resume it$/ },
    { kind: "Deployment", spec: { paused: false }, why: null },
    {
      kind: "StatefulSet",
      spec: { updateStrategy: { type: "OnDelete" } },
      why: /^spec\.updateStrategy\.type OnDelete: .*RollingUpdate$/,
    },
    {
      kind: "StatefulSet",
      spec: rolling({ partition: 2 }),
      why: /^spec\.updateStrategy\.rollingUpdate\.partition 2: .*set it to 0$/,
    },
    { kind: "StatefulSet", spec: rolling({ partition: 0 }), why: null },
    { kind: "StatefulSet", spec: { updateStrategy: {} }, why: null },
    {
      kind: "DaemonSet",
      spec: { updateStrategy: { type: "OnDelete" } },
      why: /^spec\.updateStrategy\.type OnDelete: .*RollingUpdate$/,
    },
    { kind: "DaemonSet", spec: rolling({ maxUnavailable: 1 }), why: null },
  ];

test.for(obstacles)("a $kind with $spec: $why", async ({ kind, spec = {}, why }) => {
  const { problems, image } = await readBuiltIn(kind, { spec });
  expect(problems).toHaveLength(why === null ? 0 : 1);
  expect(problems.join("")).toMatch(why ?? /^$/);
  expect(image).toBe(before);
});

function rolling(rollingUpdate: object) {
  return { updateStrategy: { type: "RollingUpdate", rollingUpdate } };
}

function templateOf(...containers: readonly object[]) {
  return { template: { spec: { containers } } };
}
