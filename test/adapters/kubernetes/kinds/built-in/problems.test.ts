import { describe, expect, test } from "vitest";
import { describeProblems } from "../../../../../functions/domain/workload/policy/problem.ts";
import { before, builtInKinds, type BuiltInKind, type Parts } from "../../../../contracts/cluster-fixtures.ts";
import { autoUpdateOf, readBuiltIn } from "../../reading.ts";
import { textsOf } from "../../../../support/problems.ts";

interface Problem {
  readonly value: string;
  readonly message: RegExp;
  /** The values that are read instead. */
  readonly read?: object;
}

/** The problem names the annotation and quotes its value. */
const malformed: readonly (Problem & { readonly key: string })[] = [
  { key: "auto-update", value: "yes", message: /neither "true" nor "false"/, read: { policy: { optIn: "unclear" } } },
  { key: "auto-update", value: "", message: /neither "true" nor "false"/, read: { policy: { optIn: "unclear" } } },
  { key: "auto-update", value: "True", message: /neither "true" nor "false"/, read: { policy: { optIn: "unclear" } } },
  { key: "paused", value: "no", message: /neither "true" nor "false"/, read: { policy: { paused: true } } },
  { key: "version-constraint", value: "^one", message: /./ },
  { key: "schedule", value: "at noon", message: /./ },
  { key: "schedule", value: "61 * * * *", message: /./ },
  { key: "tag-pattern", value: "[", message: /./ },
  { key: "health-timeout", value: "10 min", message: /./, read: { policy: { healthTimeoutSeconds: 600 } } },
  {
    key: "health-timeout",
    value: "0s",
    message: /must be from 1s to 24h0m0s/,
    read: { policy: { healthTimeoutSeconds: 600 } },
  },
  {
    key: "health-timeout",
    value: "25h",
    message: /must be from 1s to 24h0m0s/,
    read: { policy: { healthTimeoutSeconds: 600 } },
  },
  {
    key: "max-rollbacks",
    value: "-1",
    message: /whole number from 1 to 999999/,
    read: { policy: { maxRollbacks: 3 } },
  },
  {
    key: "max-rollbacks",
    value: "0",
    message: /"0": must be a whole number from 1/,
    read: { policy: { maxRollbacks: 3 } },
  },
  {
    key: "max-rollbacks",
    value: "many",
    message: /whole number from 1 to 999999/,
    read: { policy: { maxRollbacks: 3 } },
  },
  {
    key: "containers",
    value: "web",
    message: /no such container, there are app, sidecar/,
    read: { image: null, source: null },
  },
];

describe.for(builtInKinds)("%s", (kind) => {
  test.for(malformed)('pawl.dev/$key "$value" is a problem', async ({ key, value, message, read = {} }) => {
    const workload = await readBuiltIn(kind, { annotations: { [`pawl.dev/${key}`]: value } });
    expect(workload).toMatchObject(read);
    expect(textsOf(workload.problems)).toEqual([expect.stringContaining(`pawl.dev/${key} "${value}": `)]);
    expect(workload.problems[0]?.text).toMatch(message);
  });

  test.for([
    { key: "pawl.dev/containers", max: 8192 },
    { key: "image-updater.eznix86.github.io/track-containers", max: 8192 },
    { key: "image-updater.eznix86.github.io/ignore-containers", max: 8192 },
    { key: "image-updater.eznix86.github.io/last-digest", max: 32_768 },
  ])("$key of more than $max characters is a problem, and few others follow", async ({ key, max }) => {
    const annotations = { "image-updater.eznix86.github.io/enabled": "true", [key]: "a,".repeat(max) };
    const { problems } = await readBuiltIn(kind, { annotations });
    expect(textsOf(problems)).toContain(`${key}: has ${2 * max} characters; use at most ${max}`);
    expect(problems.length).toBeLessThan(30);
    expect(describeProblems(problems).length).toBeLessThan(8000);
  });

  test("problems of spec.policy name its fields", async () => {
    const policy = {
      versionConstraint: "^one",
      schedule: "at noon",
      containers: ["web"],
      digest: { containers: ["x"] },
    };
    const { problems } = await readBuiltIn(kind, { optIn: null }, {}, autoUpdateOf(kind, { policy }));
    expect(problems.map(({ field }) => field)).toEqual([
      "spec.policy.versionConstraint",
      "spec.policy.schedule",
      "spec.policy.containers",
      "spec.policy.digest.containers",
    ]);
  });

  test("an annotation that Pawl does not know is a problem, on the workload and on its AutoUpdate", async () => {
    const annotations = { "pawl.dev/canray": "1", "example.com/canray": "1" };
    const autoUpdate = autoUpdateOf(kind, {});
    const asked = {
      ...autoUpdate,
      metadata: { ...autoUpdate.metadata, annotations: { "pawl.dev/requests": "reset x" } },
    };
    const { problems } = await readBuiltIn(kind, { annotations }, {}, asked);
    expect(textsOf(problems)).toEqual([
      "pawl.dev/canray: is not an annotation of Pawl; did you mean pawl.dev/canary?",
      "pawl.dev/requests: is not an annotation of Pawl; did you mean pawl.dev/request?",
    ]);
  });

  test("all problems are reported together", async () => {
    const annotations = Object.fromEntries(malformed.map(({ key, value }) => [`pawl.dev/${key}`, value]));
    const { problems } = await readBuiltIn(kind, { annotations });
    expect(problems).toHaveLength(new Set(malformed.map(({ key }) => key)).size);
  });

  test.for([
    { key: "schedule", value: "" },
    { key: "health-timeout", value: "" },
    { key: "max-rollbacks", value: "03" },
    { key: "containers", value: "" },
    { key: "paused", value: "false" },
  ])('pawl.dev/$key "$value" is none', async ({ key, value }) => {
    const { problems, policy } = await readBuiltIn(kind, { annotations: { [`pawl.dev/${key}`]: value } });
    expect({ problems, max: policy.maxRollbacks, paused: policy.paused }).toEqual({
      problems: [],
      max: 3,
      paused: false,
    });
  });

  test.for(["", "app:", "Shop/App:1.0.0", "app:1.0.0 "])(
    "the image %j is a problem that names the container",
    async (image) => {
      const { problems } = await readBuiltIn(kind, { spec: templateOf({ name: "app", image }) });
      expect(textsOf(problems)).toEqual([expect.stringContaining(`image "${image}" of container app: `)]);
    },
  );

  test("a container without an image is a problem", async () => {
    const workload = await readBuiltIn(kind, { spec: templateOf({ name: "app" }) });
    expect(workload).toMatchObject({
      image: null,
      problems: [{ text: expect.stringContaining("of container app: ") }],
    });
  });
});

const obstacles: readonly {
  readonly kind: BuiltInKind;
  readonly spec: Parts["spec"];
  readonly message: RegExp | null;
}[] = [
  { kind: "Deployment", spec: { paused: true }, message: /^spec\.paused: .*resume it$/ },
  { kind: "Deployment", spec: { paused: false }, message: null },
  {
    kind: "StatefulSet",
    spec: { updateStrategy: { type: "OnDelete" } },
    message: null,
  },
  {
    kind: "StatefulSet",
    spec: rolling({ partition: 2 }),
    message: /^spec\.updateStrategy\.rollingUpdate\.partition 2: .*set it to 0$/,
  },
  { kind: "StatefulSet", spec: rolling({ partition: 0 }), message: null },
  { kind: "StatefulSet", spec: { updateStrategy: {} }, message: null },
  {
    kind: "DaemonSet",
    spec: { updateStrategy: { type: "OnDelete" } },
    message: null,
  },
  { kind: "DaemonSet", spec: rolling({ maxUnavailable: 1 }), message: null },
];

test.for(obstacles)("a $kind with $spec: $message", async ({ kind, spec = {}, message }) => {
  const { problems, image } = await readBuiltIn(kind, { spec });
  expect(problems).toHaveLength(message === null ? 0 : 1);
  expect(describeProblems(problems)).toMatch(message ?? /^$/);
  expect(image).toBe(before);
});

function rolling(rollingUpdate: object) {
  return { updateStrategy: { type: "RollingUpdate", rollingUpdate } };
}

function templateOf(...containers: readonly object[]) {
  return { template: { spec: { containers } } };
}
