import { Stack, type StackProps } from "aws-cdk-lib";
import type { Construct } from "constructs";
import type { PawlConfigInput } from "./config/schema.ts";
import { defaultPrefix } from "./config/grammar.ts";
import { Pawl } from "./pawl.ts";
import { PawlCluster } from "./pawl-cluster.ts";

/**
 * Creates the stacks of a configuration: `pawl` for what all clusters share, and `pawl-<cluster>` for each. The stacks of clusters
 * are deployed after the shared one, and import nothing from it.
 */
export function createPawlStacks(scope: Construct, config: PawlConfigInput, props: StackProps = {}): readonly Stack[] {
  const { $schema: _, clusters, ...settings } = config;
  const prefix = settings.prefix ?? defaultPrefix;
  const description = "Pawl: updates Kubernetes workloads from outside the cluster";
  const shared = new Stack(scope, prefix, { description, ...props });
  const pawl = new Pawl(shared, "Pawl", settings);
  const stacks = clusters.map((cluster) => {
    const stack = new Stack(scope, `${prefix}-${cluster.name}`, {
      description: `${description} ${cluster.name}`,
      ...props,
    });
    new PawlCluster(stack, cluster.name, { pawl, ...cluster });
    return stack;
  });
  return [shared, ...stacks];
}
