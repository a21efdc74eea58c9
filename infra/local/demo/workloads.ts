import { annotations, imageUpdaterAnnotations } from "../../../functions/domain/workload/policy/annotations.ts";

/**
 * The tags of the demo's registry, by repository. `checkout` gets 3.4.0 after its circuit opens, and the tag `prod` of `news`
 * moves after `web` is updated.
 */
export const demoTags: Readonly<Record<string, readonly string[]>> = {
  "shop/web": ["1.0.0", "1.1.0", "1.2.0-rc.1", "latest"],
  "shop/cart": ["2.0.0", "2.1.0", "2.2.0"],
  "shop/checkout": ["3.0.0", "3.1.0", "3.2.0", "3.3.0"],
  "shop/reports": ["1.4.0", "1.5.0"],
  "shop/billing": ["5.0.0", "5.1.0"],
  "shop/search": ["0.9.0", "1.0.0"],
  "shop/news": ["prod"],
  "shop/payments": ["7.0.0", "7.1.0"],
  "shop/pages": ["5.0.0", "5.1.0"],
  "shop/orders": ["7.0.0", "7.1.0", "7.2.0"],
  "agents/openclaw": ["0.4.0", "0.5.0"],
};

/** Images whose pods never become ready, or whose Jobs fail. */
const brokenImages = [
  "shop/orders:7.2.0",
  "shop/cart:2.2.0",
  "shop/checkout:3.1.0",
  "shop/checkout:3.2.0",
  "shop/checkout:3.3.0",
];

export function isHealthy(image: string): boolean {
  return !brokenImages.some((name) => image.endsWith(name));
}

const autoUpdateAnnotations = { [annotations.autoUpdate]: "true" };

/** The version of `pages` that a person rolls back. */
export const newPages = "5.1.0";

/** Returns eleven workloads, one per scenario, and the template of a hook. `newsDigest` is the digest of the tag that `news` tracks. */
export function demoWorkloads(registry: string, newsDigest: string, now: Date): readonly object[] {
  const digest = `sha256:${"5b0bcabd1ed22e9fb1310cf6c2dec7cd".repeat(2)}`;
  return [
    workload("Deployment", "web", `${registry}/shop/web:1.0.0`, 3, autoUpdateAnnotations),
    workload("StatefulSet", "cart", `${registry}/shop/cart:2.0.0`, 3, {
      ...autoUpdateAnnotations,
      [annotations.healthTimeout]: "2m",
    }),
    workload("Deployment", "checkout", `${registry}/shop/checkout:3.0.0`, 2, {
      ...autoUpdateAnnotations,
      [annotations.healthTimeout]: "90s",
      [annotations.onFailure]: "tryOlder",
    }),
    workload("DaemonSet", "reports", `${registry}/shop/reports:1.4.0`, null, {
      ...autoUpdateAnnotations,
      [annotations.schedule]: "0 3 * * *",
    }),
    {
      apiVersion: "pawl.dev/v1alpha1",
      kind: "AutoUpdate",
      metadata: { name: "daemonset-reports", namespace: "shop", labels: { "app.kubernetes.io/managed-by": "pawl" } },
      spec: { targetRef: { apiVersion: "apps/v1", kind: "DaemonSet", name: "reports" } },
      // Its schedule counts from here: the first poll is not due.
      status: { lastCheckTime: now.toISOString() },
    },
    workload("Deployment", "billing", `${registry}/shop/billing@${digest}`, 1, autoUpdateAnnotations),
    workload("Deployment", "search", `${registry}/shop/search:0.9.0`, 1, {
      ...autoUpdateAnnotations,
      [annotations.versionConstraint]: "^one.two",
    }),
    workload("Deployment", "news", `${registry}/shop/news:prod`, 2, {
      [imageUpdaterAnnotations.enabled]: "true",
      [imageUpdaterAnnotations.lastDigest]: `app:${newsDigest}`,
    }),
    workload("Deployment", "payments", `${registry}/shop/payments:7.0.0`, 4, {
      ...autoUpdateAnnotations,
      [annotations.canarySteps]: "[{size: 1, pause: {duration: 2m}}, {size: 50%}]",
      [annotations.bakeTime]: "2m",
    }),
    workload("Deployment", "pages", `${registry}/shop/pages:5.0.0`, 2, autoUpdateAnnotations),
    // The database is migrated by a Job with the new image: that of 7.2.0 fails, and 7.1.0 is applied instead.
    workload("Deployment", "orders", `${registry}/shop/orders:7.0.0`, 2, {
      ...autoUpdateAnnotations,
      [annotations.hooks]: JSON.stringify({ pre: { job: "migrate-orders", timeout: "5m", useNewImage: true } }),
    }),
    suspendedCronJob("migrate-orders", `${registry}/shop/orders:7.0.0`),
    {
      apiVersion: "claw.prismer.ai/v1alpha1",
      kind: "Claw",
      metadata: { name: "helper", namespace: "agents" },
      spec: { runtime: "openclaw", autoUpdate: { enabled: true, versionConstraint: "<1", healthTimeout: "2m" } },
    },
  ];
}

type BuiltInKind = "Deployment" | "StatefulSet" | "DaemonSet";

function workload(
  kind: BuiltInKind,
  name: string,
  image: string,
  replicas: number | null,
  ownAnnotations: Record<string, string>,
): object {
  const labels = { app: name };
  // A tag that is tracked by digest may be cached on the node, so it must be pulled always.
  const container = { name: "app", image, imagePullPolicy: "Always" };
  return {
    apiVersion: "apps/v1",
    kind,
    metadata: { name, namespace: "shop", annotations: ownAnnotations },
    spec: {
      ...(replicas === null ? {} : { replicas }),
      ...(kind === "StatefulSet" ? { serviceName: name } : {}),
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [container] } },
    },
  };
}

function suspendedCronJob(name: string, image: string): object {
  const spec = { restartPolicy: "Never", containers: [{ name: "migrate", image, args: ["migrate"] }] };
  return {
    apiVersion: "batch/v1",
    kind: "CronJob",
    metadata: { name, namespace: "shop" },
    spec: { schedule: "0 0 1 1 *", suspend: true, jobTemplate: { spec: { backoffLimit: 0, template: { spec } } } },
  };
}
