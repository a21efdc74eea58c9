import { DefaultStackSynthesizer, type Environment, type IStackSynthesizer, Stack, type StackProps } from "aws-cdk-lib";
import type { Construct } from "constructs";
import { clustersOfDefault, shareRates } from "../functions/domain/budget/aws-rates.ts";
import type { PawlConfigInput } from "./config/schema.ts";
import { defaultPrefix } from "./config/grammar.ts";
import { InvalidProps } from "./config/invalid-props.ts";
import { parseProps } from "./config/parse-props.ts";
import { sharedSchema } from "./config/schema.ts";
import { applyAccountRules } from "./constructs/permissions/account-rules.ts";
import { EcrEvents, type Place } from "./constructs/schedule/ecr-events.ts";
import { Pawl } from "./pawl.ts";
import { PawlCluster } from "./pawl-cluster.ts";

type ClusterInput = PawlConfigInput["clusters"][number];

const description = "Pawl: updates Kubernetes workloads from outside the cluster";

/**
 * Creates the stacks of a configuration: for each account and region `pawl`, for what its clusters share, and `pawl-<cluster>` for each
 * cluster; and `pawl-EcrEvents` where `registries.ecrEvents` come from. The stacks of clusters import nothing. They are deployed after the shared one, and after those of all lower rings.
 */
export function createPawlStacks(scope: Construct, config: PawlConfigInput, props: StackProps = {}): readonly Stack[] {
  const { $schema: _, clusters, ...settings } = config;
  const prefix = settings.prefix ?? defaultPrefix;
  const stacksByRing = new Map<number, Stack[]>();
  const places = Map.groupBy(clusters, ({ account, region }) => [account, region].filter(Boolean).join("_"));
  const stacks = [...places].flatMap(([place, members]) => {
    const env = environmentOf(members[0]!, props);
    const id = place === "" ? prefix : `${prefix}_${place}`;
    const shared = new Stack(scope, id, { stackName: prefix, description, ...props, env });
    const pawl = new Pawl(shared, "Pawl", shareLimits(settings, members.length));
    const own = members.map(({ account: _account, region: _region, ring = 0, ...cluster }) => {
      const about = { description: `${description} ${cluster.name}`, ...props, env };
      const stack = new Stack(scope, `${prefix}-${cluster.name}`, about);
      new PawlCluster(stack, cluster.name, { pawl, ...cluster });
      stacksByRing.set(ring, [...(stacksByRing.get(ring) ?? []), stack]);
      return stack;
    });
    return [shared, ...own];
  });
  orderRings(stacksByRing);
  const targets = [...places.values()].map(([first]) => environmentOf(first!, props));
  const sources = settings.registries?.ecrEvents ?? [];
  return [...stacks, ...createEcrStacks(scope, { prefix, sources, targets, props, settings })];
}

interface EcrStacks {
  readonly prefix: string;
  readonly sources: readonly Place[];
  /** Where clusters are. */
  readonly targets: readonly Environment[];
  readonly props: StackProps;
  readonly settings: Omit<PawlConfigInput, "clusters">;
}

/** Creates a stack wherever pushes to ECR come from but from the place of the clusters itself. Throws `InvalidProps` if that is unknown. */
function createEcrStacks(scope: Construct, { prefix, sources, targets, props, settings }: EcrStacks): readonly Stack[] {
  return sources.flatMap((source) => {
    const { account, region } = source;
    const others = targets.filter((target) => target.account !== account || target.region !== region);
    if (others.length === 0) return [];
    if (!others.every(isPlace))
      throw new InvalidProps(
        "registries.ecrEvents: the account or region of a cluster is unknown; set both of each cluster",
      );
    const id = `${prefix}-EcrEvents_${account}_${region}`;
    const about = { stackName: `${prefix}-EcrEvents`, description: "Pawl: sends pushes to ECR to its clusters" };
    // Another team may deploy its template, in an account without a bootstrap.
    const synthesizer = new DefaultStackSynthesizer({ generateBootstrapVersionRule: false }) as IStackSynthesizer;
    const stack = new Stack(scope, id, { ...about, synthesizer, ...props, env: { account, region } });
    applyAccountRules(stack, parseProps(sharedSchema, settings));
    new EcrEvents(stack, "EcrEvents", { prefix, ...source, targets: others });
    return [stack];
  });
}

function isPlace(environment: Environment): environment is Place {
  return environment.account !== undefined && environment.region !== undefined;
}

/** Gives each cluster of a place its share of what the deployment may request of AWS there. By default, further clusters change nothing. */
function shareLimits(settings: Omit<PawlConfigInput, "clusters">, clusters: number): Omit<PawlConfigInput, "clusters"> {
  const { limits } = settings;
  if (!limits?.aws && clusters <= clustersOfDefault) return settings;
  return { ...settings, limits: { ...limits, aws: shareRates(limits?.aws, clusters) } };
}

function environmentOf({ account, region }: ClusterInput, { env = {} }: StackProps): Environment {
  return { ...env, ...(account && { account }), ...(region && { region }) };
}

/** Lets each stack wait for those of the ring before. */
function orderRings(stacksByRing: ReadonlyMap<number, readonly Stack[]>): void {
  const rings = [...stacksByRing].toSorted(([one], [other]) => one - other).map(([, stacks]) => stacks);
  for (const [index, ring] of rings.entries())
    for (const stack of ring) for (const before of rings[index - 1] ?? []) stack.addStackDependency(before);
}
