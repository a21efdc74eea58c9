import { withSchedule, type Case } from "./inputs.ts";

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
].map((schedule) => ({ when: schedule, input: withSchedule(schedule), problems: [] }));

const rejected = (schedule: string, reason: string, more: Partial<Case> = {}): Case => {
  return { when: schedule, input: withSchedule(schedule), problems: [`clusters[0].poll.schedule: ${reason}`], ...more };
};

export const rejectedScheduleCases: readonly Case[] = [
  rejected("5 minutes", '"5 minutes" is neither rate(...) nor cron(...)'),
  rejected("*/5 * * * *", '"*/5 * * * *" is neither rate(...) nor cron(...)'),
  rejected("rate(0 minutes)", '"rate(0 minutes)" is not like rate(5 minutes)'),
  rejected("rate(5 minute)", '"rate(5 minute)": use minutes'),
  rejected("rate(30 seconds)", '"rate(30 seconds)" is not like rate(5 minutes)'),
  rejected("rate(1.5 hours)", '"rate(1.5 hours)" is not like rate(5 minutes)'),
  rejected("cron(0 3 * * *)", '"cron(0 3 * * *)" has 5 fields; EventBridge needs six'),
  rejected("cron(0 3 * * * *)", '"cron(0 3 * * * *)": use ? for exactly one of day of month and day of week'),
  rejected("cron(0 3 ? * ? *)", '"cron(0 3 ? * ? *)": use ? for exactly one of day of month and day of week'),
  rejected("cron(60 3 * * ? *)", '"cron(60 3 * * ? *)": minutes cannot be "60"', { beyondSchema: true }),
  rejected("cron(0 24 * * ? *)", '"cron(0 24 * * ? *)": hours cannot be "24"', { beyondSchema: true }),
  rejected("cron(0 3 ? * 0 *)", '"cron(0 3 ? * 0 *)": day of week cannot be "0"', { beyondSchema: true }),
  rejected("cron(0 3 ? * MOON *)", '"cron(0 3 ? * MOON *)": day of week cannot be "MOON"', { beyondSchema: true }),
  rejected("cron(0/0 3 * * ? *)", '"cron(0/0 3 * * ? *)": minutes cannot be "0/0"', { beyondSchema: true }),
  rejected("cron(1-2-3 3 * * ? *)", '"cron(1-2-3 3 * * ? *)": minutes cannot be "1-2-3"', { beyondSchema: true }),
];
