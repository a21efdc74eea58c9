import { type Document, isSeq, parseDocument, YAMLSeq } from "yaml";
import type { Freeze } from "../../functions/domain/gates/freeze.ts";
import { parseFreezes } from "../../functions/domain/gates/parse-freezes.ts";
import { InvalidInput } from "../exit-codes.ts";

/** A freeze as the ConfigMap has it. */
export interface WrittenFreeze {
  readonly from: string;
  readonly to?: string;
  readonly reason: string;
  readonly by?: string;
  readonly rollBack?: true;
  readonly namespaces?: readonly string[];
}

/** Adds a freeze to the text of the ConfigMap, and keeps the comments of others. Throws `InvalidInput`. */
export function addFreeze(text: string, freeze: WrittenFreeze): string {
  const document: Document = parseDocument(text);
  const list = listOf(document);
  list.add(document.createNode(freeze));
  document.contents = list;
  assertValid(document);
  return document.toString();
}

/** What lifting all active freezes does. Those that begin later remain. */
export interface Lifted {
  readonly text: string;
  readonly lifted: readonly Freeze[];
  readonly later: readonly Freeze[];
}

/** Removes the freezes that are active. Throws `InvalidInput` if the text is invalid. */
export function liftFreezes(text: string, now: Date): Lifted {
  const document: Document = parseDocument(text);
  const list = listOf(document);
  const freezes = assertValid(document);
  const hasBegun = ({ from }: Freeze) => from === null || from <= now;
  const isOver = ({ to }: Freeze) => to !== null && to <= now;
  list.items = list.items.filter((_item, index) => !hasBegun(freezes[index] as Freeze));
  document.contents = list;
  return {
    text: document.toString(),
    lifted: freezes.filter((freeze) => hasBegun(freeze) && !isOver(freeze)),
    later: freezes.filter((freeze) => !hasBegun(freeze)),
  };
}

function listOf({ contents }: Document): YAMLSeq {
  return isSeq(contents) ? contents : new YAMLSeq();
}

function assertValid(document: Document): readonly Freeze[] {
  const parsed = parseFreezes(document.errors.length > 0 ? null : (document.toJS() ?? []));
  if (parsed.kind === "valid") return parsed.value;
  const reasons = parsed.problems.map(({ reason }) => reason).join("; ");
  throw new InvalidInput(`ConfigMap pawl-freeze: ${reasons}`);
}
