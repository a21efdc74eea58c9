import * as v from "valibot";
import { closedObject, nullSetting, recordOf, setting } from "../../functions/domain/text/schema.ts";
import * as grammar from "./grammar.ts";

/** How the resources of the stack are protected beyond the defaults. */
export const protection = {
  tags: setting(recordOf(grammar.ownTagKey, grammar.tagValue), "Tags of all resources.", {}),
  roles: v.optional(
    closedObject({
      path: nullSetting(grammar.rolePath, "The start of the path of all roles. / if absent."),
      permissionsBoundary: nullSetting(
        grammar.policyName,
        "The policy of the stack's account, with its path, that limits all roles. None if absent.",
      ),
    }),
    {},
  ),
  retainLogs: setting(v.boolean(), "true: log groups remain, with their logs, after the stack is deleted.", false),
  encryptionKeyArn: nullSetting(
    grammar.keyArn,
    "A KMS key that encrypts logs, dead-letter queues and the topic of alarms. AWS's own keys encrypt them if absent.",
  ),
  codeSigningConfigArn: nullSetting(
    grammar.codeSigningConfigArn,
    "Lambda checks the signature of the code of each function.",
  ),
};
