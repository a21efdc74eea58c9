import { polled, type Case } from "./writing.ts";

export const scheduleCases: readonly Case[] = [
  "rate(1 minute)",
  "rate(5 minutes)",
  "rate(1 hours)",
  "rate(7 days)",
  "cron(0 3 * * ? *)",
  "cron(0/15 6-20 ? * MON-FRI *)",
  "cron(0 0 L * ? *)",
  "cron(0 8 1W * ? *)",
  "cron(0 10 ? * 6L 2027-2030)",
  "cron(30 12 ? JAN,JUL TUE#2 *)",
  "cron(5,35 0-23/2 * 1-6/2 ? *)",
  "cron(0 9 ? * 2-6 *)",
].map((schedule) => ({ when: schedule, write: polled(schedule), problems: [] }));

const refused = (schedule: string, reason: string, more: Partial<Case> = {}): Case => {
  return { when: schedule, write: polled(schedule), problems: [`clusters[0].poll.schedule: ${reason}`], ...more };
};

export const refusedScheduleCases: readonly Case[] = [
  refused("5 minutes", '"5 minutes" is neither rate(...) nor cron(...)'),
  refused("*/5 * * * *", '"*/5 * * * *" is neither rate(...) nor cron(...)'),
  refused("rate(0 minutes)", '"rate(0 minutes)" is not like rate(5 minutes)'),
  refused("rate(5 minute)", '"rate(5 minute)": write minutes'),
  refused("rate(30 seconds)", '"rate(30 seconds)" is not like rate(5 minutes)'),
  refused("rate(1.5 hours)", '"rate(1.5 hours)" is not like rate(5 minutes)'),
  refused("cron(0 3 * * *)", '"cron(0 3 * * *)" has 5 fields, not the six of EventBridge'),
  refused("cron(0 3 * * * *)", '"cron(0 3 * * * *)": exactly one of day of month and day of week is ?'),
  refused("cron(0 3 ? * ? *)", '"cron(0 3 ? * ? *)": exactly one of day of month and day of week is ?'),
  refused("cron(60 3 * * ? *)", '"cron(60 3 * * ? *)": minutes cannot be "60"', { beyondSchema: true }),
  refused("cron(0 24 * * ? *)", '"cron(0 24 * * ? *)": hours cannot be "24"', { beyondSchema: true }),
  refused("cron(0 3 ? * 0 *)", '"cron(0 3 ? * 0 *)": day of week cannot be "0"', { beyondSchema: true }),
  refused("cron(0 3 ? * MOON *)", '"cron(0 3 ? * MOON *)": day of week cannot be "MOON"', { beyondSchema: true }),
  refused("cron(0/0 3 * * ? *)", '"cron(0/0 3 * * ? *)": minutes cannot be "0/0"', { beyondSchema: true }),
  refused("cron(1-2-3 3 * * ? *)", '"cron(1-2-3 3 * * ? *)": minutes cannot be "1-2-3"', { beyondSchema: true }),
];
