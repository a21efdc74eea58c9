import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import * as v from "valibot";
import { parse } from "yaml";
import {
  filterProblems,
  type NotificationTarget,
  secretProblems,
  selections,
  slackFields,
  webhookFields,
} from "../../../functions/domain/notification/target.ts";
import { closedObject, crossCheck, unique } from "../../../functions/domain/text/schema.ts";
import { validate } from "../../../functions/domain/text/schema-problems.ts";

/** A target of `pawl local`, whose secret is in a file. */
export type LocalTarget = NotificationTarget & { readonly secretFile: string | null };

const path = v.pipe(v.string("a path"), v.nonEmpty("a path"));

const slack = v.pipe(
  closedObject({ ...slackFields, secretFile: path }),
  crossCheck([...selections], (target) => filterProblems(target)),
);

const webhook = v.pipe(
  closedObject({ ...webhookFields, secretFile: v.nullish(path, null) }),
  crossCheck([...selections], (target) => filterProblems(target)),
  crossCheck(["url", "headers", "body", "secretFile"], (target) => secretProblems(target, "secretFile")),
);

const targetsSchema = v.pipe(
  v.array(v.variant("kind", [slack, webhook])),
  unique((target) => target?.name, "name"),
);

export type NotificationFile =
  | { readonly kind: "targets"; readonly targets: readonly LocalTarget[] }
  | { readonly kind: "invalid"; readonly problems: readonly string[] };

/** Reads a JSON or YAML file with a list of targets. Paths of secrets are relative to the file. */
export function readNotificationFile(file: string): NotificationFile {
  const written = parseFile(file);
  if (written instanceof Error) return { kind: "invalid", problems: [`${file}: ${written.message.split("\n")[0]}`] };
  const validation = validate(targetsSchema, written.value, file);
  if (validation.kind === "invalid")
    return { kind: "invalid", problems: validation.problems.map(({ reason }) => reason) };
  const from = dirname(file);
  const targets = validation.value.map((target) => ({
    ...target,
    secretFile: target.secretFile === null ? null : resolve(from, target.secretFile),
  }));
  return { kind: "targets", targets };
}

function parseFile(file: string): { readonly value: unknown } | Error {
  try {
    return { value: parse(readFileSync(file, "utf8")) };
  } catch (error) {
    return error as Error;
  }
}
