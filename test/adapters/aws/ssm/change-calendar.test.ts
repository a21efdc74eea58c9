import { SSMClient } from "@aws-sdk/client-ssm";
import { expect, onTestFinished, test } from "vitest";
import { readChangeCalendar } from "../../../../functions/adapters/aws/ssm/change-calendar.ts";
import { type AwsAnswer, fakeAws, refusalOf } from "../../../support/aws/aws-services.ts";

const arn = "arn:aws:ssm:eu-central-1:210987654321:document/Releases";

async function readAfter(answer: AwsAnswer, calendar = "Releases") {
  const aws = await fakeAws(() => answer);
  onTestFinished(() => aws[Symbol.asyncDispose]());
  const client = new SSMClient({ ...aws.options, maxAttempts: 1 });
  onTestFinished(() => client.destroy());
  return { found: await readChangeCalendar(client, calendar), calls: aws.calls };
}

const until = new Date("2026-12-27T00:00:00Z");

test.for([
  { when: "open", body: { State: "OPEN", NextTransitionTime: "2026-12-20T18:00:00Z" }, freezes: [] },
  { when: "closed", body: { State: "CLOSED", NextTransitionTime: "2026-12-27T00:00:00Z" }, freezes: [{ to: until }] },
  { when: "closed for ever", body: { State: "CLOSED" }, freezes: [{ to: null }] },
])("a calendar that is $when", async ({ body, freezes }) => {
  const { found, calls } = await readAfter({ body }, arn);
  const reason = "the change calendar Releases is closed";
  expect(found).toMatchObject({ kind: "known", freezes: freezes.map((one) => ({ ...one, reason, from: null })) });
  expect(calls.map(({ operation, body: sent }) => [operation, JSON.parse(sent)])).toEqual([
    ["GetCalendarState", { CalendarNames: [arn] }],
  ]);
});

test.for([
  { when: "does not exist", answer: refusalOf("InvalidDocument"), reason: "there is no such calendar" },
  { when: "is another document", answer: refusalOf("InvalidDocumentType"), reason: "is no calendar" },
  { when: "is not supported", answer: refusalOf("UnsupportedCalendarException"), reason: "does not support" },
  { when: "must not be read", answer: refusalOf("AccessDeniedException"), reason: "may not read it" },
  { when: "is throttled", answer: refusalOf("ThrottlingException"), reason: "ThrottlingException" },
  { when: "has no state", answer: { body: {} }, reason: "its state is absent" },
])("a calendar that $when is unknown", async ({ answer, reason }) => {
  const { found } = await readAfter(answer);
  expect(found).toEqual({ kind: "unknown", reason: expect.stringContaining("change calendar Releases: ") });
  expect(found).toMatchObject({ reason: expect.stringContaining(reason) });
});
