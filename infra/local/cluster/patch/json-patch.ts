import { isDeepStrictEqual } from "node:util";
import { badRequest, patchDoesNotApply } from "../failure.ts";
import { isFields } from "../objects.ts";

type Container = unknown[] | Record<string, unknown>;

/** RFC 6902. Throws 422 where a step does not apply, as a `test` that fails. The target stays as it is. */
export function jsonPatch(target: unknown, steps: unknown): unknown {
  if (!Array.isArray(steps)) throw badRequest("a JSON Patch is a list of operations");
  const document = { root: structuredClone(target) };
  for (const step of steps) apply(document, step);
  return document.root;
}

function apply(document: { root: unknown }, step: unknown): void {
  if (!isFields(step) || typeof step["path"] !== "string") throw badRequest("an operation has no path");
  const at = place(document, step["path"]);
  switch (step["op"]) {
    case "add":
      return insert(at, step["value"]);
    case "remove":
      return remove(at);
    case "replace":
      existing(at);
      return assign(at, step["value"]);
    case "test":
      if (!isDeepStrictEqual(existing(at), step["value"])) throw patchDoesNotApply();
      return;
    case "copy":
      return insert(at, structuredClone(existing(place(document, String(step["from"])))));
    case "move": {
      const from = place(document, String(step["from"]));
      const value = existing(from);
      remove(from);
      return insert(place(document, step["path"]), value);
    }
    default:
      throw patchDoesNotApply();
  }
}

interface Place {
  readonly parent: Container;
  readonly key: string;
}

/** The root is taken as the one member of a container, so that "" is a path like any other. */
function place(document: { root: unknown }, pointer: string): Place {
  const keys = `root${pointer}`.split("/").map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));
  const parent = keys.slice(0, -1).reduce<unknown>((at, key) => memberOf(at, key), document);
  if (!isFields(parent) && !Array.isArray(parent)) throw patchDoesNotApply();
  return { parent: parent as Container, key: keys.at(-1) ?? "" };
}

function memberOf(container: unknown, key: string): unknown {
  if (Array.isArray(container)) return /^\d+$/.test(key) ? (container[Number(key)] as unknown) : undefined;
  return isFields(container) && Object.hasOwn(container, key) ? container[key] : undefined;
}

function existing({ parent, key }: Place): unknown {
  const value = memberOf(parent, key);
  if (value === undefined) throw patchDoesNotApply();
  return value;
}

function insert({ parent, key }: Place, value: unknown): void {
  if (!Array.isArray(parent)) return assign({ parent, key }, value);
  const index = key === "-" ? parent.length : Number(key);
  if (!Number.isInteger(index) || index < 0 || index > parent.length) throw patchDoesNotApply();
  parent.splice(index, 0, value);
}

function remove(at: Place): void {
  existing(at);
  if (Array.isArray(at.parent)) at.parent.splice(Number(at.key), 1);
  else delete at.parent[at.key];
}

function assign({ parent, key }: Place, value: unknown): void {
  Object.assign(parent, { [key]: value });
}
