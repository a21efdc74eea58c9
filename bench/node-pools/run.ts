import { measureStepNodes } from "./invocation.ts";
import { openLab } from "./lab.ts";
import { readOptions } from "./options.ts";
import { onPaper } from "./paper.ts";
import { measureRollout } from "./rollout.ts";
import { type Size, sizesOf, times } from "./scenario.ts";
import { asMarkdown, asTable, type Measured, pollRows, requestRows, rolloutRows } from "./table.ts";

// One rollout of a pool of each size, counted between Pawl and a cluster in memory, on a clock that moves while the machine waits.

const { nodes, markdown } = readOptions(process.argv.slice(2));
const all: Measured[] = [];
for (const size of sizesOf(nodes)) {
  console.error(`rolling ${size.nodes} nodes, ${size.maxUnavailable} at once`);
  all.push(await measure(size));
}
console.log(`staging ${times.staging} s, ${times.grace} s until a pod has ended, reboot ${times.reboot} s:\n`);
for (const rows of [rolloutRows(all), pollRows(all), requestRows(all)]) {
  console.log(`${markdown ? asMarkdown(rows) : asTable(rows)}\n`);
}

async function measure(size: Size): Promise<Measured> {
  const lab = await openLab(size, times);
  try {
    const rollout = await measureRollout(lab, size);
    return { ...rollout, paper: onPaper(size, times), stepNodes: await measureStepNodes(lab) };
  } finally {
    await lab.close();
  }
}
