import * as v from "valibot";
import { closedObject, durationSeconds, text, wholeNumber } from "../text/schema.ts";
import { type Validation, validate } from "../text/schema-problems.ts";
import type { ApprovalPolicy } from "./approval.ts";

const maxApprovers = 20;
const maxTimeoutSeconds = 365 * 86_400;

const approver = text(/^(user|group):\S.{0,250}$/, "user:NAME or group:NAME");

const schema = v.pipe(
  closedObject({
    required: v.nullish(wholeNumber(1, maxApprovers), 1),
    by: v.pipe(
      v.array(approver),
      v.minLength(1, "a list of approvers, such as group:release-managers"),
      v.maxLength(maxApprovers),
    ),
    timeout: v.nullish(durationSeconds(60, maxTimeoutSeconds), null),
  }),
  v.transform(({ required, by, timeout }): ApprovalPolicy => ({
    required,
    by,
    ...(timeout === null ? {} : { timeoutSeconds: timeout }),
  })),
);

/** Parses who may approve. More approvals than people are required never come. */
export function parseApprovalPolicy(written: unknown): Validation<ApprovalPolicy> {
  const parsed = validate(schema, written, "approval");
  if (parsed.kind === "invalid") return parsed;
  const { required, by } = parsed.value;
  const people = new Set(by).size;
  if (required <= people || by.some((one) => one.startsWith("group:"))) return parsed;
  const reason = `required: is ${required}, and by names ${people}; name more, or a group`;
  return { kind: "invalid", problems: [{ kind: "invalid", path: "required", part: String(required), reason }] };
}
