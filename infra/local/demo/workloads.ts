import { annotations, imageUpdaterAnnotations } from "../../../functions/domain/annotations.ts";

/**
 * What the demo's registry holds, by repository. Later `checkout` gets 3.4.0, when its circuit has opened, and `news` something else
 * under `prod`, when `web` is up to date.
 */
export const demoTags: Readonly<Record<string, readonly string[]>> = {
  "shop/web": ["1.0.0", "1.1.0", "1.2.0-rc.1", "latest"],
  "shop/cart": ["2.0.0", "2.1.0", "2.2.0"],
  "shop/checkout": ["3.0.0", "3.1.0", "3.2.0", "3.3.0"],
  "shop/reports": ["1.4.0", "1.5.0"],
  "shop/billing": ["5.0.0", "5.1.0"],
  "shop/search": ["0.9.0", "1.0.0"],
  "shop/news": ["prod"],
  "agents/openclaw": ["0.4.0", "0.5.0"],
};

/** Images whose pods never become ready. */
const broken = ["shop/cart:2.2.0", "shop/checkout:3.1.0", "shop/checkout:3.2.0", "shop/checkout:3.3.0"];

export function isHealthy(image: string): boolean {
  return !broken.some((name) => image.endsWith(name));
}

const byTag = { [annotations.autoUpdate]: "true" };

/** Eight workloads, each with a story of its own; `newsDigest` is what stands behind the tag that one of them follows. */
export function demoWorkloads(registry: string, newsDigest: string, now: Date): readonly object[] {
  const digest = `sha256:${"5b0bcabd1ed22e9fb1310cf6c2dec7cd".repeat(2)}`;
  return [
    builtIn("Deployment", "web", `${registry}/shop/web:1.0.0`, 3, byTag),
    builtIn("StatefulSet", "cart", `${registry}/shop/cart:2.0.0`, 3, { ...byTag, [annotations.healthTimeout]: "2m" }),
    builtIn("Deployment", "checkout", `${registry}/shop/checkout:3.0.0`, 2, {
      ...byTag,
      [annotations.healthTimeout]: "90s",
    }),
    builtIn("DaemonSet", "reports", `${registry}/shop/reports:1.4.0`, null, {
      ...byTag,
      [annotations.schedule]: "0 3 * * *",
      [annotations.lastCheck]: now.toISOString(),
    }),
    builtIn("Deployment", "billing", `${registry}/shop/billing@${digest}`, 1, byTag),
    builtIn("Deployment", "search", `${registry}/shop/search:0.9.0`, 1, {
      ...byTag,
      [annotations.versionConstraint]: "^one.two",
    }),
    builtIn("Deployment", "news", `${registry}/shop/news:prod`, 2, {
      [imageUpdaterAnnotations.enabled]: "true",
      [imageUpdaterAnnotations.lastDigest]: `app:${newsDigest}`,
    }),
    {
      apiVersion: "claw.prismer.ai/v1alpha1",
      kind: "Claw",
      metadata: { name: "helper", namespace: "agents" },
      spec: { runtime: "openclaw", autoUpdate: { enabled: true, versionConstraint: "<1", healthTimeout: "2m" } },
    },
  ];
}

type BuiltInKind = "Deployment" | "StatefulSet" | "DaemonSet";

function builtIn(
  kind: BuiltInKind,
  name: string,
  image: string,
  replicas: number | null,
  own: Record<string, string>,
): object {
  const labels = { app: name };
  // Nodes have something under a tag that is followed by digest: they are to pull it all the same.
  const container = { name: "app", image, imagePullPolicy: "Always" };
  return {
    apiVersion: "apps/v1",
    kind,
    metadata: { name, namespace: "shop", annotations: own },
    spec: {
      ...(replicas === null ? {} : { replicas }),
      ...(kind === "StatefulSet" ? { serviceName: name } : {}),
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [container] } },
    },
  };
}
