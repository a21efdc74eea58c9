import { expect, test } from "vitest";
import { readBuiltInPolicy } from "../../../../functions/adapters/kubernetes/kinds/built-in/built-in-policy.ts";
import { annotations } from "../../../../functions/domain/workload/policy/annotations.ts";
import { readRawPolicy } from "../../../../functions/adapters/kubernetes/auto-update/policy.ts";
import { stored } from "../reading.ts";
import { textsOf } from "../../../support/problems.ts";

const both: Readonly<Record<string, string>> = {
  [annotations.hooks]: '{"pre": {"job": "migrate"}, "post": {"job": "smoke-test"}}',
};

const object = { metadata: { name: "app", ...stored, annotations: both } };

test.for([
  { when: "enabled", isEnabled: true, pre: "migrate", post: "smoke-test", problems: [] },
  { when: "not enabled", isEnabled: false, pre: "migrate", post: undefined, problems: ["hooks are not enabled"] },
])("hooks of a deployment where they are $when", ({ isEnabled, pre, post, problems }) => {
  const { policy, problems: found } = readBuiltInPolicy(readRawPolicy(object, null), both, null, isEnabled, false);
  expect([policy.hooks.pre?.job, policy.hooks.post?.job]).toEqual([pre, post]);
  expect(textsOf(found)).toEqual(problems.map((problem) => expect.stringContaining(problem)));
});
