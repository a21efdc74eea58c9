import { describe, expect, test } from "vitest";
import type { Problem } from "../../../../functions/domain/workload/policy/problem.ts";
import { noHooks } from "../../../../functions/domain/workload/hook/hook.ts";
import { parseHooks, readCanaryHooks } from "../../../../functions/domain/workload/hook/parse-hooks.ts";
import { textsOf } from "../../../support/problems.ts";

const migrate = {
  job: "migrate",
  timeoutSeconds: 600,
  usesNewImage: false,
  showsLog: false,
  rollsBack: false,
  runOn: ["update", "digest"],
};
const smoke = { ...migrate, job: "smoke-test" };

function read(written: unknown) {
  const problems: string[] = [];
  const hooks = parseHooks(written, (reason) => problems.push(`pawl.dev/hooks: ${reason}`));
  return { hooks, problems };
}

test.for([
  { when: "there are none", written: undefined, hooks: noHooks },
  { when: "the object is empty", written: {}, hooks: noHooks },
  { when: "only a name is given", written: { pre: { job: "migrate" } }, hooks: { pre: migrate, post: null } },
  {
    when: "everything is given",
    written: {
      pre: { job: "migrate", timeout: "90s", useNewImage: true, runOn: ["rollback"] },
      post: { job: "smoke-test", timeout: "1h", log: true, onFailure: "rollback", onNoResult: "rollback" },
    },
    hooks: {
      pre: { ...migrate, timeoutSeconds: 90, usesNewImage: true, runOn: ["rollback"] },
      post: { ...smoke, timeoutSeconds: 3600, showsLog: true, rollsBack: true, rollsBackUnknown: true },
    },
  },
  {
    when: "a failure is only recorded",
    written: { post: { job: "smoke-test", onFailure: "record" } },
    hooks: { pre: null, post: smoke },
  },
])("hooks are read: $when", ({ written, hooks }) => {
  expect(read(written)).toEqual({ hooks, problems: [] });
});

test.for([
  { when: "it is no object", written: "migrate", problem: "is not" },
  { when: "a hook has no job", written: { pre: {} }, problem: "pre.job" },
  { when: "the job is no name", written: { pre: { job: "Migrate!" } }, problem: "pre.job" },
  { when: "the name of the job is too long", written: { pre: { job: "a".repeat(53) } }, problem: "pre.job" },
  { when: "a field is misspelt", written: { pre: { job: "migrate", timout: "1m" } }, problem: "pre.timout" },
  { when: "the timeout is too long", written: { post: { job: "a", timeout: "25h" } }, problem: "post.timeout" },
  { when: "a pre hook has onFailure", written: { pre: { job: "a", onFailure: "rollback" } }, problem: "pre.onFailure" },
  { when: "it runs around no update", written: { pre: { job: "a", runOn: [] } }, problem: "pre.runOn" },
  { when: "runOn is unknown", written: { pre: { job: "a", runOn: ["deploy"] } }, problem: "pre.runOn" },
  { when: "log is no boolean", written: { pre: { job: "a", log: "no" } }, problem: "pre.log" },
  {
    when: "a pre hook has onNoResult",
    written: { pre: { job: "a", onNoResult: "record" } },
    problem: "pre.onNoResult",
  },
  { when: "onFailure is unknown", written: { post: { job: "a", onFailure: "retry" } }, problem: "post.onFailure" },
])("it is a problem, and there are no hooks: $when", ({ written, problem }) => {
  const { hooks, problems } = read(written);
  expect(hooks).toEqual(noHooks);
  expect(problems).toHaveLength(1);
  expect(problems[0]).toMatch(/^pawl\.dev\/hooks: /);
  expect(problems[0]).toContain(problem);
});

describe("of a StatefulCanary", () => {
  test.for([
    { when: "there are none", written: undefined, hook: undefined },
    { when: "the object is empty", written: {}, hook: undefined },
    { when: "only a name is given", written: { prePromotion: { job: "migrate" } }, hook: migrate },
    {
      when: "everything is given",
      written: { prePromotion: { job: "migrate", timeout: "90s", useNewImage: true, log: true } },
      hook: { ...migrate, timeoutSeconds: 90, usesNewImage: true, showsLog: true },
    },
  ])("hooks are read: $when", ({ written, hook }) => {
    const problems: Problem[] = [];
    expect(readCanaryHooks(written, problems)["pre-promotion"]).toEqual(hook);
    expect(problems).toEqual([]);
  });

  test.for([
    { when: "the timeout", written: { prePromotion: { job: "migrate", timeout: "soon" } }, job: "migrate" },
    { when: "a field of others", written: { prePromotion: { job: "migrate", runOn: ["update"] } }, job: "migrate" },
    { when: "another stage", written: { pre: { job: "migrate" } }, job: "" },
  ])("an invalid one is a problem, and no canary is promoted without it: $when", ({ written, job }) => {
    const problems: Problem[] = [];
    expect(readCanaryHooks(written as object, problems)["pre-promotion"]).toMatchObject({ job });
    expect(textsOf(problems)).toEqual([expect.stringMatching(/^spec\.hooks/)]);
  });
});
