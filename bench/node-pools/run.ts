import { bundleFunctions } from "../../infra/constructs/functions/bundling.ts";
import { measureReconcileNodes } from "./invocation.ts";
import { openHarness } from "./harness.ts";
import { readOptions } from "./options.ts";
import { predictCost } from "./formula.ts";
import { measureRollout } from "./rollout.ts";
import { type Size, times } from "./scenario.ts";
import { formatMarkdown, formatTable, type Measurement, pollRows, requestRows, rolloutRows } from "./table.ts";

// Rolls out one pool of each size with simulated time, and counts requests between Pawl and an in-memory cluster.

const { pools, markdown } = readOptions(process.argv.slice(2));
const { folder } = bundleFunctions();
const measurements: Measurement[] = [];
for (const size of pools) {
  console.error(`rolling out ${size.nodes} nodes, ${size.maxUnavailable} at a time`);
  measurements.push(await measure(size));
}
console.log(`staging ${times.staging} s, grace period ${times.grace} s, reboot ${times.reboot} s:\n`);
for (const rows of [rolloutRows(measurements), pollRows(measurements), requestRows(measurements)]) {
  console.log(`${markdown ? formatMarkdown(rows) : formatTable(rows)}\n`);
}

async function measure(size: Size): Promise<Measurement> {
  const harness = await openHarness(size, times);
  try {
    const rollout = await measureRollout(harness, size);
    return {
      ...rollout,
      predicted: predictCost(size, times),
      reconcileNodes: await measureReconcileNodes(harness, folder),
    };
  } finally {
    await harness.close();
  }
}
