import { expect, test } from "vitest";
import { describePoll } from "../../../cli/workloads/last-poll.ts";
import { fromEpoch } from "../../../functions/domain/text/rfc3339.ts";
import { noon } from "../../support/workloads.ts";

const ago = (seconds: number) => fromEpoch(noon.getTime() - seconds * 1000);
const every = (everySeconds: number, seconds: number) => ({ startedAt: ago(seconds), everySeconds });
const idle = { by: "pawl-production", isRunning: false };

test.for([
  {
    when: "by nobody known",
    poll: { at: ago(125), by: null, isRunning: false, rhythm: null },
    text: "last poll 2m5s ago",
  },
  {
    when: "the next one is known",
    poll: { ...idle, at: ago(120), rhythm: every(300, 130) },
    text: "last poll 2m ago by pawl-production, next in 2m50s",
  },
  {
    when: "the next one is a little late",
    poll: { ...idle, at: ago(320), rhythm: every(300, 320) },
    text: "last poll 5m20s ago by pawl-production",
  },
  {
    when: "it still polls",
    poll: { ...idle, isRunning: true, at: ago(20), rhythm: every(300, 80) },
    text: "last poll 20s ago by pawl-production, which still polls",
  },
  {
    when: "the clock of the poll is ahead",
    poll: { ...idle, at: ago(-9), rhythm: null },
    text: "last poll 0s ago by pawl-production",
  },
  {
    when: "three of the usual intervals have passed",
    poll: { ...idle, at: ago(901), rhythm: every(300, 901) },
    text: "last poll 15m ago by pawl-production, after one every 5m: overdue",
  },
  {
    when: "nothing is known but that",
    poll: { ...idle, at: ago(901), rhythm: null },
    text: "last poll 15m ago by pawl-production: overdue",
  },
  {
    when: "it was killed long ago",
    poll: { ...idle, isRunning: true, at: ago(7200), rhythm: every(300, 7300) },
    text: "last poll 120m ago by pawl-production, after one every 5m: overdue",
  },
  {
    when: "it polls every hour",
    poll: { ...idle, at: ago(3500), rhythm: every(3600, 3540) },
    text: "last poll 58m ago by pawl-production, next in 60s",
  },
  {
    when: "it polls every hour, and one is missing",
    poll: { ...idle, at: ago(7201), rhythm: every(3600, 7201) },
    text: "last poll 120m ago by pawl-production, after one every 60m: overdue",
  },
  {
    when: "its schedule pauses at night, which the Lease says",
    poll: { ...idle, at: ago(50_000), rhythm: every(300, 50_010), longestSeconds: 50_400 },
    text: "last poll 13h ago by pawl-production",
  },
  {
    when: "its schedule pauses at night, and the first one of the day is missing",
    poll: { ...idle, at: ago(51_001), rhythm: every(300, 51_010), longestSeconds: 50_400 },
    text: "last poll 14h ago by pawl-production, after one every 5m: overdue",
  },
  {
    when: "its schedule is known, and the polls before were further apart",
    poll: { ...idle, at: ago(901), rhythm: every(3600, 910), longestSeconds: 300 },
    text: "last poll 15m ago by pawl-production, after one every 60m: overdue",
  },
])("$when: $text", ({ poll, text }) => {
  expect(describePoll({ longestSeconds: null, ...poll }, noon)).toEqual({
    text,
    isOverdue: text.endsWith(": overdue"),
  });
});
