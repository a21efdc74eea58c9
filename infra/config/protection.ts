import * as v from "valibot";
import * as grammar from "./grammar.ts";

/** How the resources of the stack are protected beyond the defaults. */
export const protection = {
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
