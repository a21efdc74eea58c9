import { Command } from "commander";
import { nextAfter, parseSchedule, type Schedule } from "../../functions/domain/schedule.ts";
import { formatRfc3339, parseRfc3339 } from "../../functions/domain/time.ts";
import { exitCodes, WrongInput } from "../exit.ts";
import { valid } from "../input/valid.ts";
import { printJson } from "../output/json.ts";
import { say } from "../output/say.ts";

interface Options {
  readonly after?: string;
  readonly count: string;
  readonly json?: true;
}

const most = 10_000;
/** RFC3339 has four digits for the year. */
const lastYear = 9999;

export function scheduleCommand(): Command {
  return new Command("schedule")
    .description(
      "Prints the next times a schedule is due, in UTC, one a line. The status is 1 where it never is. " +
        "CRON_TZ=<zone> in front of the expression sets its time zone; otherwise it is UTC.",
    )
    .argument("<expression>", "five fields (minute hour day month weekday), @daily and its like, or @every 1h30m")
    .option("--after <time>", "begin after this time, in RFC3339 (default: now)")
    .option("-n, --count <number>", "how many times to print", "5")
    .option("--json", "print one JSON document")
    .addHelpText("after", "\nExample:\n  pawl schedule 'CRON_TZ=Europe/Berlin 0 3 * * MON-FRI' -n 3")
    .action(printTimes);
}

function printTimes(expression: string, { after, count, json }: Options): void {
  const schedule = valid("schedule", parseSchedule(expression));
  const start = after === undefined ? new Date() : timeOf(after);
  const times = nextTimes(schedule, start, countOf(count)).map(formatRfc3339);
  const reason = times.length > 0 ? null : `"${expression}" is never due after ${formatRfc3339(start)}`;
  if (json) printJson({ schedule: expression, after: formatRfc3339(start), times, reason });
  else process.stdout.write(times.map((time) => `${time}\n`).join(""));
  if (reason === null) return;
  say(reason);
  process.exitCode = exitCodes.nothing;
}

function nextTimes(schedule: Schedule, start: Date, count: number): readonly Date[] {
  const times: Date[] = [];
  while (times.length < count) {
    const next = nextAfter(schedule, times.at(-1) ?? start);
    if (next === null || next.getUTCFullYear() > lastYear) break;
    times.push(next);
  }
  return times;
}

function timeOf(text: string): Date {
  const time = parseRfc3339(text);
  if (time === null) throw new WrongInput(`--after: "${text}" is not a time: write it as 2026-01-31T03:00:00Z`);
  return time;
}

function countOf(text: string): number {
  const count = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (count < 1 || count > most) throw new WrongInput(`-n: "${text}" is not a whole number from 1 to ${most}`);
  return count;
}
