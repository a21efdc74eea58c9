import { autoUpdate, builtIn, type ClusterFixture } from "../cluster-fixture.ts";
import { pollLeaseName } from "../../../functions/ports/poll-lease.ts";
import { imageTarget } from "../../support/workloads.ts";

const startedAt = "2026-11-20T12:00:00Z";

/** Who holds its claim. */
export const installation = "arn:aws:states:eu-central-1:123456789012:stateMachine:pawl-production";

/** Returns the Lease of polls, as a poll of the installation has left it. */
export function pollLease(renewTime: string): object {
  return {
    apiVersion: "coordination.k8s.io/v1",
    kind: "Lease",
    metadata: { name: pollLeaseName, namespace: "kube-system" },
    spec: { holderIdentity: `${installation} poll-1`, renewTime },
  };
}

const analysis = `prometheus: service://monitoring/prometheus:9090
interval: 1m
count: 3
metrics:
  - name: errors
    query: errors{pod=~"{{args.pods}}"}
    successCondition: result < 0.01
    compare: { maxIncrease: 20% }`;

/** Returns a Deployment with a canary of three steps, and its AutoUpdate. */
export function canaryWorkload(registry: string): readonly object[] {
  const steps = [{ size: 1, pause: { duration: "2m" } }, { size: "50%" }];
  return [
    builtIn("Deployment", "canary", `${registry}/shop/web:1.0.0`, {
      "pawl.dev/canary-steps": JSON.stringify(steps),
      "pawl.dev/canary-analysis": analysis,
    }),
    autoUpdate("Deployment", "canary"),
  ];
}

/** Brings the canary to the second step, with these values measured, each of which is judged by the analysis. */
export async function startCanary(fixture: ClusterFixture, values: readonly (number | null)[]): Promise<void> {
  const { registry } = fixture;
  const { uid } = (await fixture.object("apps/v1/namespaces/shop/deployments/canary")).metadata;
  const measurements = values.map((value, minute) => ({
    metric: "errors",
    at: `2026-11-20T12:0${minute}:00Z`,
    ...(value === null ? { verdict: "error", note: "the query returned nothing" } : judged(value)),
  }));
  await fixture.writeStatus("deployment-canary", {
    currentVersion: "1.0.0",
    update: {
      phase: "Applied",
      strategy: "Canary",
      hasCanary: true,
      holder: installation,
      execution: "shop-canary-1-1-0",
      expiresAt: startedAt,
      target: imageTarget(`${registry}/shop/web:1.1.0`),
      previousImage: `${registry}/shop/web:1.0.0`,
      targetUID: uid,
      targetGeneration: 1,
      startedAt,
    },
    canary: {
      step: 2,
      steps: 3,
      plan: "1, pause, 50%",
      size: "1",
      waitsFor: "Time",
      since: startedAt,
      until: "2026-11-20T12:02:00Z",
    },
    analysis: { startedAt, metrics: [compared], measurements },
  });
}

/** What a test of the metric has compared. */
const compared = {
  name: "errors",
  passes: 1,
  failures: 0,
  inconclusive: 0,
  errors: 0,
  consecutiveErrors: 0,
  consecutiveSuccesses: 1,
  comparison: {
    margin: "+20%",
    intervals: 0,
    logs: [],
    canary: { numerator: 12, denominator: 1000 },
    stable: { numerator: 40, denominator: 4000 },
  },
};

function judged(value: number): object {
  if (value < 0.01) return { verdict: "pass", value, baseline: 0.25 };
  return { verdict: "fail", value, note: `${value}: not result < 0.01`, baseline: 0.25 };
}
