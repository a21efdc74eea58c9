import { expect, test } from "vitest";
import { Throttled } from "../../../functions/ports/errors.ts";
import { retryAfterSeconds } from "../../../functions/adapters/oci-registry/rate-limit-headers.ts";
import { createAdapter, imageAt, json, noon, startScriptedServer } from "./scripted-server.ts";

const inAnHour = String(noon.getTime() / 1000 + 3600);

test.for<{ when: string; headers: Record<string, string>; seconds: number | null }>([
  { when: "a delay", headers: { "retry-after": "30" }, seconds: 30 },
  { when: "a date", headers: { "retry-after": "Fri, 20 Nov 2026 12:02:00 GMT" }, seconds: 120 },
  { when: "a past date", headers: { "retry-after": "Fri, 20 Nov 2026 11:00:00 GMT" }, seconds: 0 },
  { when: "an invalid value", headers: { "retry-after": "soon" }, seconds: null },
  { when: "nothing", headers: {}, seconds: null },
  { when: "a reset as delay", headers: { "ratelimit-reset": "60" }, seconds: 60 },
  { when: "a reset as time", headers: { "x-ratelimit-reset": inAnHour }, seconds: 3600 },
  { when: "an exhausted limit with its window", headers: { "ratelimit-remaining": "0;w=21600" }, seconds: 21_600 },
  { when: "an exhausted limit without a window", headers: { "ratelimit-remaining": "0" }, seconds: null },
  { when: "a limit that is not exhausted", headers: { "ratelimit-remaining": "10;w=21600" }, seconds: null },
  { when: "a delay and a window", headers: { "retry-after": "5", "ratelimit-remaining": "0;w=21600" }, seconds: 5 },
  { when: "an invalid value and a reset", headers: { "retry-after": "soon", "ratelimit-reset": "9" }, seconds: 9 },
])("$when means $seconds seconds", async ({ headers, seconds }) => {
  expect(retryAfterSeconds(new Headers(headers), noon)).toBe(seconds);

  await using server = await startScriptedServer((_, response) => json(response, {}, headers, 429));
  const failure: unknown = await createAdapter([server.host])
    .listTags(imageAt(server.host))
    .catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(Throttled);
  expect(failure).toMatchObject({ name: "Throttled", retryAfterSeconds: seconds });
  const message = seconds === null ? "it names no time to retry" : `${seconds} seconds`;
  expect(String(failure)).toContain(message);
});

test("the last request within the limit returns its result", async () => {
  await using server = await startScriptedServer((_, response) =>
    json(response, { tags: ["1"] }, { "ratelimit-remaining": "0;w=9" }),
  );
  expect(await createAdapter([server.host]).listTags(imageAt(server.host))).toEqual(["1"]);
});
