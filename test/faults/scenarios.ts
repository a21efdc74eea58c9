import { demoNodePool, osRepository } from "../../infra/local/demo/node-pool.ts";
import { isSoak } from "../support/property-runs.ts";
import type { Scenario, Surroundings, WorkloadEnd } from "./scenario.ts";

type Annotations = Readonly<Record<string, string>>;

const optedIn = { "pawl.dev/auto-update": "true", "pawl.dev/health-timeout": "1m" };

export function workload(
  kind: string,
  name: string,
  image: string,
  annotations: Annotations,
  { replicas = 2, ...spec }: { readonly replicas?: number; readonly updateStrategy?: object } = {},
): object {
  const labels = { app: name };
  const template = { metadata: { labels }, spec: { containers: [{ name: "app", image, imagePullPolicy: "Always" }] } };
  return {
    apiVersion: "apps/v1",
    kind,
    metadata: { name, namespace: "shop", annotations },
    spec: { replicas, selector: { matchLabels: labels }, template, ...spec },
  };
}

/** One is opted in and has a good newer version, whatever happens to others; to the other nothing may happen. */
export function bystanders({ registry }: Surroundings): readonly object[] {
  return [
    workload("Deployment", "bystander", `${registry}/shop/bystander:1.0.0`, optedIn, { replicas: 1 }),
    workload("Deployment", "stranger", `${registry}/shop/good:1.0.0`, {}, { replicas: 1 }),
  ];
}

const tags = ["1.0.0", "1.1.0"];
const repositories = {
  "shop/good": tags,
  "shop/bad": tags,
  "shop/crashing": tags,
  "shop/moving": ["prod"],
  "shop/bystander": tags,
};
export const updated: WorkloadEnd = { tag: "1.1.0", blamed: [], circuitOpen: false, changes: 1, result: "Healthy" };
export const rolledBack: WorkloadEnd = {
  tag: "1.0.0",
  blamed: ["1.1.0"],
  circuitOpen: false,
  changes: 2,
  result: "RolledBack",
};

const fixed: WorkloadEnd = { ...updated, tag: "1.2.0", changes: 2 };

/** 1.1.0 crashes, and a newer version takes its place. If that comes late, 1.1.0 is rolled back before. */
const fixForward = {
  repository: "crashing",
  end: fixed,
  lateEnd: { ...fixed, blamed: ["1.1.0"], changes: 3, history: ["RolledBack", "Healthy"] },
} as const;

/** Returns a scenario about one workload `web`. */
export function about(
  name: string,
  {
    kind = "Deployment",
    repository = "good",
    annotations = {},
    spec = {},
    ...rest
  }: Partial<Scenario> & {
    readonly kind?: "Deployment" | "StatefulSet";
    readonly repository?: "good" | "bad" | "crashing";
    readonly annotations?: Annotations;
    readonly spec?: { readonly updateStrategy?: object };
  } = {},
): Scenario {
  return {
    name,
    repositories,
    plural: kind === "Deployment" ? "deployments" : "statefulsets",
    end: repository === "bad" ? rolledBack : updated,
    objects(around) {
      return [
        analysis,
        hook(around),
        workload(kind, "web", `${around.registry}/shop/${repository}:1.0.0`, { ...optedIn, ...annotations }, spec),
        ...bystanders(around),
      ];
    },
    ...rest,
  };
}

const analysis = {
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name: "errors", namespace: "shop" },
  data: {
    "analysis.yaml": JSON.stringify({
      interval: "20s",
      count: 2,
      metrics: [{ name: "errors", query: "errors_total", threshold: 0.5 }],
    }),
  },
};

/** Its Jobs succeed. */
function hook({ registry }: Surroundings): object {
  const containers = [{ name: "migrate", image: `${registry}/shop/good:1.0.0` }];
  const jobTemplate = { spec: { template: { spec: { restartPolicy: "Never", containers } } } };
  return {
    apiVersion: "batch/v1",
    kind: "CronJob",
    metadata: { name: "migrate", namespace: "shop" },
    spec: { schedule: "0 0 1 1 *", suspend: true, jobTemplate },
  };
}
const hooks = { "pawl.dev/hooks": JSON.stringify({ pre: { job: "migrate" }, post: { job: "migrate" } }) };

export const canary = { "pawl.dev/canary": "1", "pawl.dev/canary-analysis": "errors" };
/** Its baseline is created and deleted with it. */
const aged = { "pawl.dev/canary-baseline": "sameAge" };
const onDelete = { updateStrategy: { type: "OnDelete" } };

const baking = { "pawl.dev/canary-analysis": analysis.data["analysis.yaml"], "pawl.dev/bake-time": "1m" };

const errorsMetric = { metric: { namespace: "Shop", metricName: "Errors" }, period: 60, stat: "Sum" };
const cloudWatch = { metricDataQueries: [{ id: "errors", metricStat: errorsMetric }] };
const measuredByCloudWatch = {
  ...canary,
  "pawl.dev/canary-analysis": JSON.stringify({
    interval: "20s",
    count: 2,
    metrics: [{ name: "errors", cloudWatch, threshold: 0.5 }],
  }),
};

export const plainUpdate = about("update");

export const updateScenarios: readonly Scenario[] = [
  plainUpdate,
  about("rollback", { repository: "bad" }),
  about("update beside a change calendar", {
    changeCalendar: "arn:aws:ssm:eu-west-1:123456789012:document/shop-open",
  }),
  about("adopted update", { killedAfter: "ApplyUpdate: PATCH deployments/web" }),
  about("adopted rollback", {
    repository: "bad",
    killedAfter: "RollBack: PATCH autoupdates/deployment-web/status",
  }),
  about("circuit", {
    repository: "bad",
    annotations: { "pawl.dev/max-rollbacks": "1" },
    end: { ...rolledBack, circuitOpen: true },
  }),
  about("fix forward", { ...fixForward, annotations: { "pawl.dev/health-timeout": "10m" } }),
  { ...about("parked update that fails", { repository: "bad" }), parkedSeconds: 70 * 60 },
  about("rollback of a StatefulSet", { kind: "StatefulSet", repository: "bad" }),
  ...(isSoak ? [about("rollback pod by pod", { kind: "StatefulSet", repository: "bad", spec: onDelete })] : []),
  {
    ...about("restart"),
    end: { ...updated, tag: "prod" },
    objects: (around) => [
      workload("Deployment", "web", `${around.registry}/shop/moving:prod`, {
        "image-updater.eznix86.github.io/enabled": "true",
        "image-updater.eznix86.github.io/last-digest": `app:sha256:${"a".repeat(64)}`,
        "pawl.dev/health-timeout": "1m",
      }),
      ...bystanders(around),
    ],
  },
];

/** Its image is verified by the poll and by its execution. */
const verifiedUpdate: Scenario = {
  ...about("verified update"),
  isSigned: true,
  objects: (around) => [
    workload("Deployment", "web", `${around.signed}/team/app:1.0.0`, optedIn),
    ...bystanders(around),
  ],
};

export const signatureScenarios: readonly Scenario[] = [
  verifiedUpdate,
  { ...verifiedUpdate, name: "adopted verified update", killedAfter: "ApplyUpdate: PATCH deployments/web" },
];

export const canaryScenarios: readonly Scenario[] = [
  about("canary", { annotations: canary }),
  about("canary with steps", {
    annotations: {
      ...aged,
      "pawl.dev/canary-steps": "[{size: 1, pause: {duration: 20s}}, {size: 2, analysis: errors, duration: 20s}]",
    },
  }),
  about("canary with a measured pause", {
    annotations: {
      "pawl.dev/canary-analysis": "errors",
      "pawl.dev/canary-steps": "[{size: 1, pause: {duration: 40s}}]",
    },
  }),
  about("canary that fails", {
    annotations: { ...canary, ...aged },
    measurement: 1,
    end: { ...rolledBack, changes: 0 },
  }),
  about("fix forward of a canary", {
    ...fixForward,
    annotations: { "pawl.dev/canary": "1", "pawl.dev/health-timeout": "10m" },
    end: { ...fixed, changes: 1 },
    lateEnd: { ...fixForward.lateEnd, changes: 1 },
  }),
  about("canary of a StatefulSet, measured by CloudWatch", { kind: "StatefulSet", annotations: measuredByCloudWatch }),
];

/** Its bake time lasts longer than a fault for good: what is unknown until its end is recorded as healthy. */
const failingBake = about("bake time that fails", {
  annotations: { ...baking, "pawl.dev/bake-time": "2h" },
  measurement: 1,
  end: rolledBack,
});

export const bakeScenarios: readonly Scenario[] = [
  about("bake time", { annotations: baking }),
  ...(isSoak ? [failingBake, about("update with hooks", { annotations: hooks })] : []),
];

export const nodePoolScenarios: readonly Scenario[] = [
  {
    name: "node pool",
    plural: null,
    end: updated,
    repositories: { ...repositories, [osRepository]: ["stable"] },
    objects: (around) => [...demoNodePool(around.registry), ...bystanders(around)],
  },
];
