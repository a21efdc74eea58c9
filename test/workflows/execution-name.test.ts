import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { executionName, poolExecutionName } from "../../functions/workflows/execution-name.ts";
import { digest, restartTarget } from "../support/digest-workloads.ts";
import { target, workload, updateTarget, imageTarget, image } from "../support/workloads.ts";
import { configTarget } from "../support/workloads/config-workloads.ts";

const { ref } = workload();

test("has namespace, name, version and a hash", () => {
  expect(executionName(ref, updateTarget, "update 0")).toMatch(/^shop-app-1-1-0-[0-9a-f]{12}$/);
});

test("has the tag and a part of the digest for a restart, and differs for the next digest", () => {
  const name = executionName(ref, restartTarget, "update 0");
  expect(name).toMatch(/^shop-app-prod-sha256-0{12}-[0-9a-f]{12}$/);
  expect(executionName(ref, { ...restartTarget, digest: digest(3) }, "update 0")).not.toBe(name);
});

test("has the tag and the word restart for one that a person asked for", () => {
  const asked = { kind: "restart", image, request: "742d31" } as const;
  expect(executionName(ref, asked, "restart t-1")).toMatch(/^shop-app-1-0-0-restart-[0-9a-f]{12}$/);
});

test("is that of the version before typed targets, so that a repeated start is the same start", () => {
  expect(executionName(ref, updateTarget, "update 0")).toBe("shop-app-1-1-0-ac4ba0480cd3");
  expect(executionName(ref, restartTarget, "update 0")).toBe("shop-app-prod-sha256-000000000000-79fb419005d3");
  expect(executionName(ref, configTarget, "update 0")).toBe("shop-app-1-0-0-config-000000000000-2d809848de77");
});

test("is the same for the same input", () => {
  expect(executionName({ ...ref }, updateTarget, "update 0")).toBe(executionName(ref, updateTarget, "update 0"));
});

describe("differs for", () => {
  test.for([
    { what: "another object of the same name", name: executionName({ ...ref, uid: "u-9" }, updateTarget, "update 0") },
    { what: "another attempt", name: executionName(ref, updateTarget, "update 1") },
    {
      what: "another repository at the same tag",
      name: executionName(ref, imageTarget("registry.example/other/app:1.1.0"), "update 0"),
    },
    {
      what: "a tag with the same readable part",
      name: executionName(ref, imageTarget(target.replace("1.1.0", "1-1-0")), "update 0"),
    },
  ])("$what", ({ name }) => {
    expect(name).not.toBe(executionName(ref, updateTarget, "update 0"));
  });
});

test("has at most 80 characters, all of which Step Functions and CloudWatch Logs accept", () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), fc.string(), fc.string(), (namespace, name, any, attempt) => {
      expect(executionName({ ...ref, namespace, name }, imageTarget(any), attempt)).toMatch(/^[0-9A-Za-z_-]{1,80}$/);
    }),
  );
});

describe("for a node pool", () => {
  const workers = { name: "workers", uid: "pool-1" };
  const name = poolExecutionName(workers, "at 7 0");

  test("has the pool's name and a hash", () => {
    expect(name).toMatch(/^pool-workers-[0-9a-f]{12}$/);
  });

  test("depends only on the pool's name, its uid and the attempt", () => {
    const more = { ...workers, resourceVersion: "8" };
    expect(poolExecutionName(more, "at 7 0")).toBe(name);
  });

  test.for([
    { what: "another pool of the same name", other: poolExecutionName({ ...workers, uid: "pool-2" }, "at 7 0") },
    { what: "another attempt", other: poolExecutionName(workers, "at 7 1") },
    { what: "another occasion", other: poolExecutionName(workers, `recover ${name}`) },
    {
      what: "the same characters split differently between uid and attempt",
      other: poolExecutionName({ ...workers, uid: "" }, "pool-1at 7 0"),
    },
  ])("differs for $what", ({ other }) => {
    expect(other).not.toBe(name);
  });

  test("has at most 80 characters, all of which Step Functions and CloudWatch Logs accept", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.string(), (pool, uid, attempt) => {
        expect(poolExecutionName({ name: pool, uid }, attempt)).toMatch(/^[0-9A-Za-z_-]{1,80}$/);
      }),
    );
  });

  test("keeps its hash if the pool's name has the maximum length", () => {
    const names = ["pool-1", "pool-2"].map((uid) => poolExecutionName({ name: "w".repeat(253), uid }, "at 7 0"));
    expect(names.map((one) => one.length)).toEqual([80, 80]);
    expect(names[0]).not.toBe(names[1]);
  });
});

test("keeps its hash if the readable part is truncated", () => {
  const long = { ...ref, namespace: "n".repeat(63), name: "w".repeat(63) };
  const names = ["update 0", "update 1"].map((attempt) => executionName(long, updateTarget, attempt));
  expect(names.map((name) => name.length)).toEqual([80, 80]);
  expect(names[0]).not.toBe(names[1]);
});
