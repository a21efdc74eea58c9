import type { Identified, ListPage } from "./objects.ts";

/** The domains of the annotations that Pawl reads. What other tools add may be large: Kubernetes allows 256 KiB for each object. */
const readDomains = [
  "pawl.dev/",
  "approval.pawl.dev/",
  "override.pawl.dev/",
  "claw.prismer.ai/",
  "image-updater.eznix86.github.io/",
];
const alsoRead = new Set(["kubernetes.io/change-cause"]);

/** More than the longest value that a policy may have, so that a longer one is still reported. */
const maxValueLength = 32 * 1024;
const maxElements = 10_000;
const maxAnnotations = 256;

/**
 * Returns a page whose objects have only what Pawl reads of their metadata. It is called for each page when it was parsed, so that of a
 * cluster with much metadata one page at a time is in memory.
 */
export function slimPage<T extends Identified>(page: ListPage<T>): ListPage<T> {
  // A page of another form is refused by the caller.
  if (!Array.isArray((page as ListPage<T> | null)?.items)) return page;
  return { ...page, items: page.items?.map(slimObject) ?? null };
}

function slimObject<T extends Identified>(object: T): T {
  // An item of another form is reported by the caller.
  if (typeof object !== "object" || object === null) return object;
  const { managedFields: _managed, annotations, ...metadata } = (object.metadata ?? {}) as Metadata;
  if (annotations === undefined || annotations === null) return { ...object, metadata };
  const read = Object.entries(annotations).filter(([name]) => isRead(name));
  const kept = read.slice(0, maxAnnotations).map(([name, value]) => [name, cut(value)]);
  return { ...object, metadata: { ...metadata, annotations: Object.fromEntries(kept) } };
}

interface Metadata {
  readonly managedFields?: unknown;
  readonly annotations?: Readonly<Record<string, string>> | null;
}

function isRead(name: string): boolean {
  return alsoRead.has(name) || readDomains.some((domain) => name.startsWith(domain));
}

/** Returns a value of a length that is still too long. It is a copy: a part of a string keeps the whole in memory. */
function cut(value: string): string {
  return value.length <= maxValueLength ? value : Buffer.from(value.slice(0, maxValueLength)).toString();
}

/** Formats an object as JSON, with its long texts and lists cut to a length that is still too long for any field of a policy. */
export function toBoundedJson(object: object): string {
  return JSON.stringify(object, (_key, value: unknown) => {
    if (typeof value === "string") return cut(value);
    return Array.isArray(value) && value.length > maxElements ? value.slice(0, maxElements) : value;
  });
}
