import * as v from "valibot";
import { closedObject, recordOf } from "../../functions/domain/text/schema.ts";
import * as grammar from "./grammar.ts";

/** How the resources of the stack are protected beyond the defaults. */
export const protection = {
  tags: v.optional(v.pipe(recordOf(grammar.ownTagKey, grammar.tagValue), v.description("Tags of all resources.")), {}),
  roles: v.optional(
    closedObject({
      path: v.nullish(
        v.pipe(grammar.rolePath, v.description("The start of the path of all roles. / if absent.")),
        null,
      ),
      permissionsBoundary: v.nullish(
        v.pipe(
          grammar.policyName,
          v.description("The policy of the stack's account, with its path, that limits all roles. None if absent."),
        ),
        null,
      ),
    }),
    {},
  ),
  retainLogs: v.optional(
    v.pipe(v.boolean(), v.description("true: log groups remain, with their logs, after the stack is deleted.")),
    false,
  ),
  encryptionKeyArn: v.nullish(
    v.pipe(
      grammar.keyArn,
      v.description(
        "A KMS key that encrypts logs, dead-letter queues and the topic of alarms. AWS's own keys encrypt them if absent.",
      ),
    ),
    null,
  ),
  codeSigningConfigArn: v.nullish(
    v.pipe(grammar.codeSigningConfigArn, v.description("Lambda checks the signature of the code of each function.")),
    null,
  ),
};
