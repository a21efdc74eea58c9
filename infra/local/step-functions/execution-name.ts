import { AwsFault } from "../wire/aws-fault.ts";

const longest = 80;

/** Whitespace, brackets, wildcards, special and control characters, surrogates: StartExecution's `name`, API reference. */
const forbidden = /[\s<>{}[\]?*"#%\\^|~`$&,;:/\p{Cc}\p{Cs}\ufffe\uffff]/u;

/** Throws InvalidName where Step Functions would not take the name. */
export function checkExecutionName(name: string): void {
  if (name.length < 1 || name.length > longest || forbidden.test(name)) {
    throw new AwsFault("InvalidName", `Invalid Name: '${name}'`);
  }
}
