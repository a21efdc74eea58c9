import { alarmNames, nodePoolAlarmNames } from "../../infra/constructs/alarms/alarm-names.ts";
import { countParkedDays, countUpdate } from "./count.ts";
import { type Cost, monthlyCost, monthlyExtras } from "./monthly.ts";
import { countPollCalls } from "./poll-calls.ts";

// Counts the update of one workload, the days of one that is parked and the calls of a poll, and prints the table of docs/explanation/cost.md.

const pollsPerMonth = 30 * 24 * 12;

/** Metrics of a cluster without node pools that has updates and rollbacks, and errors of two kinds. */
const metrics = 13;

/** Those of a cluster, and of the notifications. CloudWatch charges each metric that an alarm analyses: two alarms have two more, and four more. */
const alarms = alarmNames.length - nodePoolAlarmNames.length + 1 + 6;

const counts = await countUpdate({ secondsToReady: 60, speed: 60 });
const updates = 450;
const calls = Object.entries(await countPollCalls(updates)).map(([operation, count]) => `${count} ${operation}`);
const parkedDays = await countParkedDays(4);
const rows = [100, 1000, 10_000, 100_000].map((workloads) => {
  const cost = monthlyCost({ workloads, updatesPerMonth: workloads, pollsPerMonth, metrics, alarms }, counts);
  const cells = (["polls", "updates", "metrics", "alarms", "key", "dashboard", "total"] as const).map((part) =>
    format(cost, part),
  );
  return `| ${workloads.toLocaleString("en-US")} | ${cells.join(" | ")} |`;
});
const extras = [100, 1000, 10_000, 100_000].map((workloads) => {
  const cells = Object.values(monthlyExtras(workloads)).map((dollars: number) => `$${dollars.toFixed(2)}`);
  return `| ${workloads.toLocaleString("en-US")} | ${cells.join(" | ")} |`;
});

process.stdout.write(
  [
    `One update: ${counts.transitions} transitions, ${counts.invocations} invocations.`,
    `A poll with ${updates} updates in progress: ${calls.join(", ")}.`,
    ...parkedDays.map(
      (day, index) =>
        `Day ${index + 1} of one that is parked: ${day.transitions} transitions, ${day.invocations} invocations.`,
    ),
    "",
    "| workloads | polls | updates | metrics | alarms | key | dashboard | total |",
    "| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
    ...rows,
    "",
    "| workloads | pushes | parked | a stuck pool | endpoints |",
    "| ---: | ---: | ---: | ---: | ---: |",
    ...extras,
    "",
  ].join("\n"),
);

function format(cost: Cost, part: keyof Cost): string {
  return `$${cost[part].toFixed(2)}`;
}
