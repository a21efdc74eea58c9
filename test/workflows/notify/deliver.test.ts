import { describe, expect, test } from "vitest";
import type { Answer } from "../../../functions/domain/notification/attempts.ts";
import type { NotificationRequest } from "../../../functions/domain/notification/request.ts";
import type { NotificationTarget } from "../../../functions/domain/notification/target.ts";
import { deliver } from "../../../functions/workflows/notify/deliver.ts";
import { rolledBack } from "../../domain/notification/events.ts";

const secret = "https://hooks.example.com/s3cret";
const target: NotificationTarget = {
  kind: "slack",
  name: "team",
  on: "all",
  events: null,
  namespaces: null,
  workloads: null,
  onlyNamed: false,
};

/** A target whose receiver gives these answers in turn. */
function receiver(answers: readonly Answer[], text: string | null = secret) {
  const sent: NotificationRequest[] = [];
  const slept: number[] = [];
  const notifications = {
    target: async (name: string) => (name === "team" ? target : null),
    readSecret: async () => text,
    send: async (request: NotificationRequest) => {
      sent.push(request);
      return answers[sent.length - 1] as Answer;
    },
    sleep: async (seconds: number) => void slept.push(seconds),
  };
  return { notifications, sent, slept };
}

describe("attempts", () => {
  test.for([
    { answers: [200], slept: [] },
    { answers: [null, 204], slept: [1] },
    { answers: [500, 302, 200], slept: [1, 5] },
  ])("$answers", async ({ answers, slept }) => {
    const { notifications, sent, ...rest } = receiver(answers);
    const delivered = { kind: "delivered", attempts: answers.length };
    expect(await deliver(notifications, "team", rolledBack)).toEqual(delivered);
    expect(rest.slept).toEqual(slept);
    expect(new Set(sent.map(({ body }) => body)).size).toBe(1);
  });

  test.for([
    { answers: [500, null, 503], reason: "HTTP status 503 in attempt 3" },
    { answers: [null, null, null], reason: "no answer in attempt 3" },
  ])("$answers stop at three", async ({ answers, reason }) => {
    const { notifications, sent } = receiver(answers);
    await expect(deliver(notifications, "team", rolledBack)).rejects.toMatchObject({
      name: "NotificationFailed",
      message: `notification target team: Update Rolled Back (event e-1) was not delivered: ${reason}`,
    });
    expect(sent).toHaveLength(3);
  });
});

test("a target that was removed is sent nothing", async () => {
  const { notifications, sent } = receiver([200]);
  expect(await deliver(notifications, "removed", rolledBack)).toEqual({ kind: "unknown" });
  expect(sent).toEqual([]);
});

test("an unusable address is not requested, and not repeated in the error", async () => {
  const { notifications, sent } = receiver([200], "ftp://s3cret");
  const failing = deliver(notifications, "team", rolledBack);
  await expect(failing).rejects.toThrow('"url" is not an https:// address; change the target or its secret');
  await expect(failing).rejects.not.toThrow("s3cret");
  expect(sent).toEqual([]);
});
