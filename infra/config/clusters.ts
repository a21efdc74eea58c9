import type { ClusterConfig, EksAccess, KubeconfigAccess } from "../config-shape.ts";
import * as grammar from "./grammar.ts";
import { nodePools } from "./node-pools.ts";
import { flag, listOf, nullable, object, optional, record, text, unique, wholeNumber } from "./reader.ts";
import { checked, type Reader } from "./reader.ts";
import { problemWithSchedule } from "./schedule-expression.ts";
import { mostClusters, whyTooMany } from "./stack-size.ts";

/**
 * A write holds its function for well under a second, so that ten of each kind keep up with hundreds of updates; an API
 * server takes as many from one controller, and of an account's usual 1000 five clusters reserve 405, three with node
 * pools 423.
 */
const defaultWritesAtOnce = 10;

const eks = object({
  clusterName: grammar.eksName,
  region: grammar.region,
  endpoint: optional(grammar.endpoint, null),
  certificateAuthority: optional(grammar.certificateAuthority, null),
  assumeRoleArn: optional(grammar.roleArn, null),
});

const kubeconfig = object({ secretArn: grammar.secretArn, context: optional(grammar.contextName, null) });

const network = checked(
  object({
    vpcId: grammar.vpcId,
    subnetIds: unique(listOf(grammar.subnetId, 1), (id) => id),
    availabilityZones: listOf(grammar.availabilityZone, 1),
    securityGroupId: grammar.securityGroupId,
  }),
  ({ subnetIds, availabilityZones }) =>
    subnetIds.length === availabilityZones.length
      ? null
      : `has ${subnetIds.length} subnetIds and ${availabilityZones.length} availabilityZones: name each subnet's zone, in order`,
);

const schedule = checked(text(/^\S.*$/, "rate(5 minutes) or cron(0 3 * * ? *)"), problemWithSchedule);

const poll = object({
  schedule: optional(schedule, "rate(5 minutes)"),
  timeZone: optional(grammar.timeZone, "UTC"),
  enabled: optional(flag, true),
});

const everyFiveMinutes = { schedule: "rate(5 minutes)", timeZone: "UTC", enabled: true } as const;

const cluster = object({
  name: grammar.clusterName,
  eks: optional(eks, null),
  kubeconfig: optional(kubeconfig, null),
  network: optional(network, null),
  poll: optional(poll, everyFiveMinutes),
  namespaces: optional(
    unique(listOf(grammar.namespace, 1), (name) => name),
    null,
  ),
  runtimeImages: optional(record(grammar.runtimeName, "a runtime's name", grammar.repository), {}),
  prometheus: optional(
    unique(listOf(grammar.prometheusAddress), (address) => address),
    [],
  ),
  writesAtOnce: optional(nullable(wholeNumber(1, 100)), defaultWritesAtOnce),
  nodePools: optional(nodePools, null),
});

const clusterWithAccess: Reader<ClusterConfig> = (written, path, problems) => {
  const read = cluster(written, path, problems);
  if (read === undefined) return read;
  const { eks: onEks, kubeconfig: bySecret, poll: polled, ...rest } = read;
  if (onEks !== null && bySecret !== null) problems.push(`${path}: has both eks and kubeconfig, one is needed`);
  if (onEks === null && bySecret === null) problems.push(`${path}: has neither eks nor kubeconfig, one is needed`);
  if (onEks?.assumeRoleArn && rest.nodePools?.runCommand) {
    problems.push(
      `${path}.nodePools.runCommand: SSM commands no instance of another account, as eks.assumeRoleArn is of`,
    );
  }
  const access = { kind: onEks === null ? "kubeconfig" : "eks", ...(onEks ?? bySecret) } as
    | EksAccess
    | KubeconfigAccess;
  const { schedule: expression, ...when } = polled ?? everyFiveMinutes;
  return { ...rest, access, poll: { expression, ...when } };
};

const anyClusters = unique(listOf(clusterWithAccess, 1, mostClusters), ({ name }) => name, ".name");

export const clusters: Reader<readonly ClusterConfig[]> = (written, path, problems) => {
  const read = anyClusters(written, path, problems);
  const wrong = whyTooMany((read ?? []).map((one) => one?.nodePools ?? null));
  if (wrong !== null) problems.push(`${path}: ${wrong}`);
  return read;
};
