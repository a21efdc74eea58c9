import { mapSwitches } from "../../functions/domain/cluster/switches.ts";
import * as v from "valibot";
import {
  closedObject,
  crossCheck,
  nullSetting,
  recordOf,
  refine,
  setting,
  unique,
  wholeNumber,
} from "../../functions/domain/text/schema.ts";
import { eks, externalIdForRole, kubeconfig, network, oneAccess, withAccess } from "./cluster-access.ts";
import * as grammar from "./grammar.ts";
import { metricProviderFields } from "./metric-providers.ts";
import { nodePools } from "./node-pools.ts";
import { schedulePattern, scheduleProblem } from "./schedule/schedule-expression.ts";

/** What the poll of a cluster with few workloads needs, and what Lambda allows. */
const [minMegabytes, maxMegabytes] = [512, 10_240];

/** How large a function is. */
function sizeFields(timeoutSeconds: number, maxSeconds: number) {
  return {
    memory: setting(
      wholeNumber(minMegabytes, maxMegabytes),
      "Memory in MB. The share of a CPU grows with it.",
      minMegabytes,
    ),
    timeout: setting(wholeNumber(60, maxSeconds), "Seconds after which the function ends.", timeoutSeconds),
  };
}

const poll = v.pipe(
  closedObject({
    ...sizeFields(300, 900),
    schedule: setting(
      v.pipe(v.string("rate(5 minutes) or cron(0 3 * * ? *)"), refine(scheduleProblem, { pattern: schedulePattern })),
      "rate(...) or cron(...) of EventBridge Scheduler.",
      "rate(5 minutes)",
    ),
    timeZone: setting(grammar.timeZone, "An IANA time zone.", "UTC"),
    enabled: v.optional(v.boolean(), true),
    pushBatchSeconds: setting(wholeNumber(0, 300), "How long pushes to ECR are collected for one poll.", 30),
  }),
  v.transform(({ schedule: expression, ...when }) => ({ expression, ...when })),
);

/** An Express execution ends after five minutes. */
const pollBatch = closedObject(sizeFields(240, 240));

const peer = v.pipe(
  closedObject({ name: grammar.clusterName, eks: v.optional(eks), kubeconfig: v.optional(kubeconfig) }),
  oneAccess(),
  externalIdForRole(),
  v.transform(withAccess),
);

const fields = {
  name: v.pipe(
    grammar.clusterName,
    v.description("Identifies the cluster in the names of resources, events and executions. Unique."),
  ),
  account: setting(grammar.accountId, "Where its stack is deployed. The account of the deployment if absent."),
  region: setting(grammar.region, "Where its stack is deployed. The region of the deployment if absent."),
  ring: setting(
    wholeNumber(0, 9),
    "Its stack is deployed after those of all clusters with a lower ring, and beside those with the same.",
    0,
  ),
  eks: v.optional(eks),
  kubeconfig: v.optional(kubeconfig),
  peers: setting(
    v.pipe(
      v.array(peer),
      v.maxLength(20),
      unique((one) => (one as { name?: unknown } | null)?.name, "name"),
    ),
    "Other clusters, whose workloads the policy `after` may name. Each needs the group pawl:peers.",
    [],
  ),
  network: nullSetting(network, "Without it the functions run outside any VPC."),
  poll: v.optional(poll, {}),
  pollBatch: setting(pollBatch, "The function that polls a batch of a large cluster.", {}),
  // Not nullish: a YAML list without entries is null, and must not mean all namespaces.
  namespaces: setting(
    v.pipe(v.array(grammar.namespace), v.minLength(1), unique<string>()),
    "All namespaces if absent.",
  ),
  runtimeImages: setting(
    recordOf(grammar.runtimeName, grammar.repository),
    "Mirrors of the images of Claw runtimes: runtime to repository.",
    {},
  ),
  ...mapSwitches(({ description, folder }) =>
    setting(v.boolean(), `${description} Needs infra/cluster/${folder}.`, false),
  ),
  ...metricProviderFields,
  writerReservedConcurrency: v.optional(
    v.nullable(
      v.pipe(
        wholeNumber(1, 100),
        v.description(
          "Concurrency reserved for each function that writes to the cluster; the poll then has 3. null reserves none.",
        ),
      ),
    ),
    null,
  ),
  nodePools: nullSetting(
    nodePools,
    "Rolls out BootcNodePools. Needs infra/cluster/node-pools. If null, no function has a right to Nodes or evictions.",
  ),
};

const cluster = v.pipe(
  closedObject(fields),
  oneAccess(),
  externalIdForRole(),
  crossCheck(["name", "peers"], ({ name, peers }) => {
    const own = peers.findIndex((one) => one.name === name);
    return own === -1
      ? []
      : [{ path: ["peers", own, "name"], reason: `is this cluster; workloads of it need no peer` }];
  }),
  crossCheck(["eks", "nodePools"], ({ eks: onEks, nodePools: pools }) => {
    if (!onEks?.assumeRoleArn || !pools?.runCommand) return [];
    const reason = "SSM sends no commands to instances of another account, which eks.assumeRoleArn names";
    return [{ path: ["nodePools", "runCommand"], reason }];
  }),
  v.transform(withAccess),
);

export const clusters = v.pipe(
  v.array(cluster),
  v.minLength(1),
  unique((one) => (one as { name?: unknown } | null)?.name, "name"),
);
