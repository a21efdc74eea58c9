import * as v from "valibot";
import { closedObject, setting, wholeNumber } from "../../functions/domain/text/schema.ts";
import * as grammar from "./grammar.ts";

const weekSeconds = 604_800;

const runCommand = closedObject({
  instanceTag: v.pipe(
    closedObject({ key: grammar.tagKey, value: grammar.tagValue }),
    v.description("Only EC2 instances with this tag are sent commands, such as kubernetes.io/cluster/NAME: owned."),
  ),
});

export const nodePools = closedObject({
  tagCacheSeconds: setting(
    wholeNumber(1, weekSeconds),
    "How long the digest of a pool's tag is cached before the registry is requested again.",
    300,
  ),
  usePullSecrets: setting(
    v.boolean(),
    "Read the pull secrets that pools name, so that nodes are updated when one changes. Needs a copy of infra/cluster/node-pools/pull-secrets.",
    false,
  ),
  runCommand: v.pipe(
    setting(
      v.union([v.literal(false), runCommand], "false or an object"),
      "Manages nodes without a daemon through SSM; false disables it.",
      false,
    ),
    v.transform((written) => (written === false ? null : written)),
  ),
});
