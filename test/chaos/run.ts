import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sleep } from "./actors/actor.ts";
import { runNodes } from "./actors/nodes.ts";
import { runOutages } from "./actors/outages.ts";
import { startPawls } from "./actors/pawls.ts";
import { runPeople } from "./actors/people.ts";
import { createFleet } from "./fleet.ts";
import { readOptions } from "./options.ts";
import { createRandom } from "./random.ts";
import { printReport } from "./report.ts";
import { releaseLast, settle, storyOf, watchHistory } from "./settle.ts";
import { type World, openWorld } from "./world.ts";

// Breaks a real control plane, a registry and Pawl at random, and checks what was recorded.

const options = readOptions(process.argv.slice(2));
if (options.log !== undefined) mkdirSync(options.log, { recursive: true });
const startedAt = new Date();
console.log(`seed ${options.seed}, ${options.minutes} minutes, ${options.workloads} workloads`);
const world = await openWorld(createFleet(options.workloads), startedAt);
const pawls = startPawls(world, startedAt, options.log);
try {
  const violations = await Promise.race([disturbAndCheck(world), world.plane.died]);
  await pawls.close();
  printReport(world, violations, pawls.failures(), startedAt.getTime());
  if (options.log !== undefined) writeRecording(world, options.log);
  process.exitCode = violations.length + pawls.failures().size > 0 ? 1 : 0;
} finally {
  await pawls.close();
  await world.close();
}

/** Disturbs everything, then nothing, and then releases one more good version, which all workloads must run in the end. */
async function disturbAndCheck(disturbed: World) {
  const { journal } = disturbed;
  const random = createRandom(options.seed);
  const signal = AbortSignal.timeout(options.minutes * 60_000);
  await sleep(5);
  journal.add("phase", null, "disturbances");
  await Promise.all([
    runPeople(disturbed, random.fork(), signal),
    runOutages(disturbed, random.fork(), signal),
    pawls.disturb(disturbed, random.fork(), signal),
    runNodes(disturbed, random.fork(), signal),
    watchHistory(disturbed, signal),
  ]);
  journal.add("phase", null, "quiet");
  const violations = await settle(disturbed);
  journal.add("phase", null, "the last release");
  await releaseLast(disturbed);
  return [...violations, ...(await settle(disturbed))];
}

function writeRecording(recorded: World, folder: string): void {
  const { fleet, journal, registry } = recorded;
  const stories = fleet.map((member) => ({
    member,
    releases: registry.releases.get(member.name),
    facts: storyOf(recorded, member).facts,
  }));
  writeFileSync(join(folder, "recording.json"), JSON.stringify({ stories, notes: journal.notes }));
}
