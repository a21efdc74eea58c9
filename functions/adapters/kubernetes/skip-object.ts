import { apiVersionOf, type Resource } from "./objects.ts";
import { maxPageBytes, type SkipObject } from "./paginate.ts";

/** An object whose list page is too large although it has one object. */
class ObjectTooLarge extends Error {
  override readonly name = "ObjectTooLarge";
}

/** Called for an object that a list skips. */
export type OnTooLarge = (error: Error) => void;

/** A table has the metadata of an object, and not the object. */
const asTable = { Accept: "application/json;as=Table;g=meta.k8s.io;v=v1" };

interface Table {
  readonly metadata?: { readonly continue?: string };
  readonly rows?: readonly { readonly object?: { readonly metadata?: { namespace?: string; name?: string } } }[];
}

/** Creates what finds out which object is too large, reports it, and returns the token of the objects after it. */
export function createSkip(
  resource: Resource,
  request: (token: string | undefined, headers: typeof asTable) => Promise<unknown>,
  onTooLarge: OnTooLarge,
): SkipObject {
  return async (token) => {
    const { metadata, rows } = (await request(token, asTable)) as Table;
    const { namespace = "", name = "of an unknown name" } = rows?.[0]?.object?.metadata ?? {};
    const subject = `${apiVersionOf(resource)} ${resource.kind} ${namespace}/${name}`;
    onTooLarge(
      new ObjectTooLarge(`${subject} has more than ${maxPageBytes} bytes and is skipped; make the object smaller`),
    );
    return metadata?.continue ?? "";
  };
}
