import { mapSwitches } from "../../functions/domain/cluster/switches.ts";
import * as v from "valibot";
import { closedObject, crossCheck, recordOf, refine, unique, wholeNumber } from "../../functions/domain/text/schema.ts";
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
    memory: v.optional(
      v.pipe(wholeNumber(minMegabytes, maxMegabytes), v.description("Memory in MB. The share of a CPU grows with it.")),
      minMegabytes,
    ),
    timeout: v.optional(
      v.pipe(wholeNumber(60, maxSeconds), v.description("Seconds after which the function ends.")),
      timeoutSeconds,
    ),
  };
}

const poll = v.pipe(
  closedObject({
    ...sizeFields(300, 900),
    schedule: v.optional(
      v.pipe(
        v.string("rate(5 minutes) or cron(0 3 * * ? *)"),
        refine(scheduleProblem, { pattern: schedulePattern }),
        v.description("rate(...) or cron(...) of EventBridge Scheduler."),
      ),
      "rate(5 minutes)",
    ),
    timeZone: v.optional(v.pipe(grammar.timeZone, v.description("An IANA time zone.")), "UTC"),
    enabled: v.optional(v.boolean(), true),
    pushBatchSeconds: v.optional(
      v.pipe(wholeNumber(0, 300), v.description("How long pushes to ECR are collected for one poll.")),
      30,
    ),
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
  account: v.optional(
    v.pipe(grammar.accountId, v.description("Where its stack is deployed. The account of the deployment if absent.")),
  ),
  region: v.optional(
    v.pipe(grammar.region, v.description("Where its stack is deployed. The region of the deployment if absent.")),
  ),
  ring: v.optional(
    v.pipe(
      wholeNumber(0, 9),
      v.description(
        "Its stack is deployed after those of all clusters with a lower ring, and beside those with the same.",
      ),
    ),
    0,
  ),
  eks: v.optional(eks),
  kubeconfig: v.optional(kubeconfig),
  peers: v.optional(
    v.pipe(
      v.array(peer),
      v.maxLength(20),
      unique((one) => (one as { name?: unknown } | null)?.name, "name"),
      v.description("Other clusters, whose workloads the policy `after` may name. Each needs the group pawl:peers."),
    ),
    [],
  ),
  network: v.nullish(v.pipe(network, v.description("Without it the functions run outside any VPC.")), null),
  poll: v.optional(poll, {}),
  pollBatch: v.optional(v.pipe(pollBatch, v.description("The function that polls a batch of a large cluster.")), {}),
  // Not nullish: a YAML list without entries is null, and must not mean all namespaces.
  namespaces: v.optional(
    v.pipe(v.array(grammar.namespace), v.minLength(1), unique<string>(), v.description("All namespaces if absent.")),
  ),
  runtimeImages: v.optional(
    v.pipe(
      recordOf(grammar.runtimeName, grammar.repository),
      v.description("Mirrors of the images of Claw runtimes: runtime to repository."),
    ),
    {},
  ),
  ...mapSwitches(({ description, folder }) =>
    v.optional(v.pipe(v.boolean(), v.description(`${description} Needs infra/cluster/${folder}.`)), false),
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
  nodePools: v.nullish(
    v.pipe(
      nodePools,
      v.description(
        "Rolls out BootcNodePools. Needs infra/cluster/node-pools. If null, no function has a right to Nodes or evictions.",
      ),
    ),
    null,
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
