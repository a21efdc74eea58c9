import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { executionName } from "../../functions/execution-name.ts";
import { digest, second } from "../support/followed.ts";
import { target, workload } from "../support/workloads.ts";

const { ref } = workload();

test("says what is updated to what, and ends in a hash", () => {
  expect(executionName(ref, target, "update 0")).toMatch(/^shop-app-1-1-0-[0-9a-f]{12}$/);
});

test("says of a restart the tag and a part of the digest; the next digest has another name", () => {
  const name = executionName(ref, second, "update 0");
  expect(name).toMatch(/^shop-app-prod-sha256-0{12}-[0-9a-f]{12}$/);
  expect(executionName(ref, second.replace(digest(2), digest(3)), "update 0")).not.toBe(name);
});

test("is the same for the same", () => {
  expect(executionName({ ...ref }, target, "update 0")).toBe(executionName(ref, target, "update 0"));
});

describe("is another for", () => {
  test.for([
    { what: "another object of the same name", name: executionName({ ...ref, uid: "u-9" }, target, "update 0") },
    { what: "another attempt", name: executionName(ref, target, "update 1") },
    {
      what: "another repository at the same tag",
      name: executionName(ref, "registry.example/other/app:1.1.0", "update 0"),
    },
    { what: "a tag that reads the same", name: executionName(ref, target.replace("1.1.0", "1-1-0"), "update 0") },
  ])("$what", ({ name }) => {
    expect(name).not.toBe(executionName(ref, target, "update 0"));
  });
});

test("is never longer than 80 characters nor of others than Step Functions and CloudWatch Logs take", () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), fc.string(), fc.string(), (namespace, name, image, attempt) => {
      expect(executionName({ ...ref, namespace, name }, image, attempt)).toMatch(/^[0-9A-Za-z_-]{1,80}$/);
    }),
  );
});

test("keeps its hash where the readable part is cut off", () => {
  const long = { ...ref, namespace: "n".repeat(63), name: "w".repeat(63) };
  const names = ["update 0", "update 1"].map((attempt) => executionName(long, target, attempt));
  expect(names.map((name) => name.length)).toEqual([80, 80]);
  expect(names[0]).not.toBe(names[1]);
});
