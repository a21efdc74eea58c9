import { describe, expect, test } from "vitest";
import { builtInKinds } from "../../../contracts/cluster-fixtures.ts";
import { autoUpdateOf, readBuiltIn } from "../reading.ts";
import { textsOf } from "../../../support/problems.ts";

const optIn = "pawl.dev/restart-on-config-change";
const dependencies = "pawl.dev/config-dependencies";
const enabled = { optIn: null, annotations: { [optIn]: "true" } };

describe.for(builtInKinds)("the configuration of a %s", (kind) => {
  test("alone is tracked with this annotation alone", async () => {
    expect(await readBuiltIn(kind, enabled)).toMatchObject({
      policy: { optIn: "yes" },
      source: null,
      digests: null,
      config: { references: [], salt: null, deployed: {}, versions: {} },
      problems: [],
    });
  });
});

test.for([
  { value: "false", isTracked: false, problems: [] },
  { value: undefined, isTracked: false, problems: [] },
  { value: "yes", isTracked: false, problems: [`${optIn} "yes": is neither "true" nor "false"`] },
])("with the annotation $value", async ({ value, isTracked, problems }) => {
  const annotations = value === undefined ? {} : { [optIn]: value };
  const workload = await readBuiltIn("Deployment", { optIn: null, annotations });
  expect([workload.config !== undefined, textsOf(workload.problems)]).toEqual([isTracked, problems]);
  expect(workload.policy.optIn).toBe(problems.length > 0 ? "unclear" : "no");
});

test.for([
  { given: { [dependencies]: "configmap/a" }, problems: [`${dependencies} needs ${optIn}: "true"`] },
  { given: { [dependencies]: "configmap/a", [optIn]: "false" }, problems: [] },
])("dependencies without an opt-in are a problem, unless it is disabled: $given", async ({ given, problems }) => {
  const workload = await readBuiltIn("Deployment", { annotations: given });
  expect([workload.config, textsOf(workload.problems)]).toEqual([undefined, problems]);
});

test("with tags, both are tracked", async () => {
  const { source, config } = await readBuiltIn("Deployment", { annotations: { [optIn]: "true" } });
  expect([source, config]).toEqual([expect.any(String), expect.anything()]);
});

test.for([
  { given: "configmap/a,secret/b", ids: ["configmap/a", "secret/b"], problems: 0 },
  { given: " secret/b.c-1 , ", ids: ["secret/b.c-1"], problems: 0 },
  { given: "a,configmap/B,ConfigMap/a,secret/a/b,configmap/-a", ids: [], problems: 5 },
  { given: Array.from({ length: 20 }, (_, index) => `x${index}`).join(","), ids: [], problems: 10 },
])("dependencies that its owner named: $given", async ({ given, ids, problems }) => {
  const annotations = { [optIn]: "true", [dependencies]: given };
  const workload = await readBuiltIn("Deployment", { optIn: null, annotations });
  expect(workload.config?.references.map(({ id, isNamed }) => [id, isNamed])).toEqual(ids.map((id) => [id, true]));
  expect(workload.problems).toHaveLength(problems);
});

test("spec.policy says the same, and its problems name its fields", async () => {
  const policy = { restartOnConfigChange: true, configDependencies: ["configmap/a", "b"] };
  const workload = await readBuiltIn("Deployment", { optIn: null }, {}, autoUpdateOf("Deployment", { policy }));
  expect(workload.config?.references.map(({ id }) => id)).toEqual(["configmap/a"]);
  expect(workload.source).not.toBeNull();
  expect(textsOf(workload.problems)).toEqual([expect.stringContaining('spec.policy.configDependencies "b": is not')]);
});

test("an annotation beside spec.policy opts in twice", async () => {
  const autoUpdate = autoUpdateOf("Deployment", { policy: {} });
  const { problems } = await readBuiltIn("Deployment", enabled, {}, autoUpdate);
  expect(textsOf(problems)).toEqual([expect.stringContaining(`has ${optIn}: both opt in`)]);
});

test("a container that does not exist is a problem, as with tags", async () => {
  const annotations = { [optIn]: "true", "pawl.dev/containers": "none" };
  const { problems } = await readBuiltIn("Deployment", { optIn: null, annotations });
  expect(textsOf(problems)).toEqual([expect.stringContaining('pawl.dev/containers "none": no such container')]);
});

test.for([
  { salt: "5a17", deployed: { "configmap/a": "config:1" } },
  // A status that was restored in part, or edited: its digests could not be compared, and each poll would restart.
  { salt: undefined, deployed: {} },
])("with the salt $salt, the recorded digests are $deployed", async ({ salt, deployed }) => {
  const config = { digests: { "configmap/a": "config:1" }, ...(salt === undefined ? {} : { salt }) };
  const autoUpdate = autoUpdateOf("Deployment", { policy: { restartOnConfigChange: true }, status: { config } });
  const workload = await readBuiltIn("Deployment", { optIn: null }, {}, autoUpdate);
  expect(workload.config).toMatchObject({ salt: salt ?? null, deployed });
});
