import { expect, test } from "vitest";
import { createBuiltInKind } from "../../../../../functions/adapters/kubernetes/kinds/built-in/built-in.ts";
import { deployment } from "../../../../../functions/adapters/kubernetes/kinds/built-in/deployment.ts";
import { parseDefaults } from "../../../../../functions/domain/workload/policy/written-defaults.ts";
import { manifest } from "../../../../contracts/cluster-fixtures.ts";
import { noApi, settings, stored } from "../../reading.ts";

test.for([
  { namespaces: ["sh*"], pin: "digest", place: "defaults[0].policy.pin" },
  { namespaces: ["other"], pin: undefined, place: "pawl.dev/pin" },
])("a workload has the enforced defaults of its namespace: $namespaces", async ({ namespaces, pin, place }) => {
  const parsed = parseDefaults([{ namespaces, enforced: true, policy: { pin: "digest" } }]);
  const kind = createBuiltInKind(deployment, { ...settings, defaults: "value" in parsed ? parsed.value : [] });
  const { metadata, ...object } = manifest("Deployment", {});
  const own = { ...metadata, ...stored, annotations: { "pawl.dev/auto-update": "true", "pawl.dev/pin": "auto" } };
  const { policy, rawPolicy, problems } = await kind.read({ ...object, metadata: own }, noApi, null);
  expect({ pin: policy.pin, place: rawPolicy["pin"]?.place, problems }).toEqual({ pin, place, problems: [] });
});
