import { applyPatch, type Operation } from "rfc6902";
import { badRequest, unprocessablePatch } from "../api-errors.ts";
import { isFields } from "../objects.ts";

/** Applies a JSON Patch (RFC 6902) to a copy. Throws 400 if it is malformed, and 422 if an operation cannot be applied. */
export function jsonPatch(target: unknown, operations: unknown): unknown {
  if (!Array.isArray(operations)) throw badRequest("a JSON Patch must be a list of operations");
  if (!operations.every(isOperation)) throw badRequest("an operation of a JSON Patch must have a path");
  const patched = structuredClone(target);
  if (!applyAll(patched, operations)) throw unprocessablePatch();
  return patched;
}

function isOperation(operation: unknown): operation is Operation {
  return isFields(operation) && typeof operation["path"] === "string";
}

/** Reports whether every operation was applied. The library returns most failures and throws the rest. */
function applyAll(document: unknown, operations: readonly Operation[]): boolean {
  try {
    return applyPatch(document, [...operations]).every((failure) => failure === null);
  } catch {
    return false;
  }
}
