import { expect, test } from "vitest";
import { Throttled } from "../../../functions/adapters/errors.ts";
import { retryAfterSeconds } from "../../../functions/adapters/oci-registry/retry-after.ts";
import { adapterFor, imageOn, json, noon, scripted } from "./scripted.ts";

const inAnHour = String(noon.getTime() / 1000 + 3600);

test.for<{ when: string; headers: Record<string, string>; seconds: number | null }>([
  { when: "a delay", headers: { "retry-after": "30" }, seconds: 30 },
  { when: "a date", headers: { "retry-after": "Fri, 20 Nov 2026 12:02:00 GMT" }, seconds: 120 },
  { when: "a date gone by", headers: { "retry-after": "Fri, 20 Nov 2026 11:00:00 GMT" }, seconds: 0 },
  { when: "junk", headers: { "retry-after": "soon" }, seconds: null },
  { when: "nothing", headers: {}, seconds: null },
  { when: "a reset as delay", headers: { "ratelimit-reset": "60" }, seconds: 60 },
  { when: "a reset as time", headers: { "x-ratelimit-reset": inAnHour }, seconds: 3600 },
  { when: "a limit used up, with its window", headers: { "ratelimit-remaining": "0;w=21600" }, seconds: 21_600 },
  { when: "a limit used up, without one", headers: { "ratelimit-remaining": "0" }, seconds: null },
  { when: "a limit not used up", headers: { "ratelimit-remaining": "10;w=21600" }, seconds: null },
  { when: "a delay and a window", headers: { "retry-after": "5", "ratelimit-remaining": "0;w=21600" }, seconds: 5 },
  { when: "junk and a reset", headers: { "retry-after": "soon", "ratelimit-reset": "9" }, seconds: 9 },
])("$when means $seconds seconds", async ({ headers, seconds }) => {
  expect(retryAfterSeconds(new Headers(headers), noon)).toBe(seconds);

  await using server = await scripted((_, response) => json(response, {}, headers, 429));
  const failure: unknown = await adapterFor([server.host])
    .listTags(imageOn(server.host))
    .catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(Throttled);
  expect(failure).toMatchObject({ name: "Throttled", retryAfterSeconds: seconds });
  const says = seconds === null ? "does not say when to come back" : `${seconds} seconds`;
  expect(String(failure)).toContain(says);
});

test("a last request within the limit is an answer like any other", async () => {
  await using server = await scripted((_, response) =>
    json(response, { tags: ["1"] }, { "ratelimit-remaining": "0;w=9" }),
  );
  expect(await adapterFor([server.host]).listTags(imageOn(server.host))).toEqual(["1"]);
});
