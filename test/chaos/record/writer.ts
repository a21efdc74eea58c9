/** `metadata.managedFields` of an object: who set which field. */
export type ManagedFields = readonly { readonly manager?: string; readonly fieldsV1?: object }[];

/** Returns the manager that set a field last; null if nobody owns it, or several do. */
export function writerOf(managed: ManagedFields, path: readonly string[]): string | null {
  const owners = managed.filter(({ fieldsV1 }) => hasField(fieldsV1, path));
  return owners.length === 1 ? (owners[0]?.manager ?? null) : null;
}

function hasField(fields: unknown, [key, ...rest]: readonly string[]): boolean {
  if (key === undefined) return true;
  const isObject = typeof fields === "object" && fields !== null;
  return isObject && key in fields && hasField((fields as Record<string, unknown>)[key], rest);
}
