import type * as v from "valibot";
import { InvalidProps } from "./invalid-props.ts";
import { replaceTokens } from "./tokens.ts";
import { validate } from "../../functions/domain/text/schema-problems.ts";

/** Returns valid properties with all defaults. Fields with tokens of the CDK are not checked. Throws `InvalidProps`. */
export function parseProps<Schema extends v.GenericSchema>(schema: Schema, props: object): v.InferOutput<Schema> {
  const known = replaceTokens(props);
  const validation = validate(schema, known.props, "props");
  if (validation.kind === "valid") return known.restore(validation.value);
  throw new InvalidProps(validation.problems.map(({ reason }) => reason).join("\n"));
}
