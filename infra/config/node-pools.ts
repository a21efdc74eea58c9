import type { NodePoolsConfig, RunCommandConfig } from "../config-shape.ts";
import * as grammar from "./grammar.ts";
import { flag, nullable, object, optional, type Reader, wholeNumber } from "./reader.ts";

const week = 604_800;

const commanded = object({ instanceTag: object({ key: grammar.tagKey, value: grammar.tagValue }) });

/** false is written where none is to be commanded; true would not say which. */
const runCommand: Reader<RunCommandConfig | null> = (written, path, problems) =>
  written === false ? null : commanded(written, path, problems);

/** null, and leaving it out, is off. */
export const nodePools: Reader<NodePoolsConfig | null> = nullable(
  object({
    tagResolutionSeconds: optional(wholeNumber(1, week), 300),
    pullSecrets: optional(flag, false),
    runCommand: optional(runCommand, null),
  }),
);
