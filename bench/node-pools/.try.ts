import { openLab } from "/work/main/bench/node-pools/lab.ts";
import { measureRollout } from "/work/main/bench/node-pools/rollout.ts";
import { sizesOf, times } from "/work/main/bench/node-pools/scenario.ts";
for (const size of sizesOf(process.argv.slice(2).map(Number))) {
  console.time("all");
  const lab = await openLab(size, times);
  console.timeLog("all", "open");
  console.dir(await measureRollout(lab, size), { depth: 5 });
  console.timeEnd("all");
  await lab.close();
}
