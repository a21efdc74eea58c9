import type { OwnedContainer, OwnedImage } from "../../../../domain/workload/owner/coexistence.ts";
import { type FieldManager, recognizeOwner } from "../../../../domain/workload/owner/image-owner.ts";
import type { Container } from "../../objects.ts";
import { updatedContainers } from "./container.ts";
import { type BuiltInObject, templateOf } from "./pod-template.ts";

/** The fields that a manager has set, as `fieldsV1` nests them: `f:NAME`, and `k:{"name":"app"}` for an element of a list. */
interface Fields {
  readonly [key: string]: Fields | undefined;
}

interface ManagedFields {
  readonly manager?: string;
  readonly operation?: string;
  readonly subresource?: string;
  readonly fieldsV1?: Fields;
}

/**
 * Returns who sets the image of an object again beside Pawl; null if nobody is known to. The object is one of a single read: a list has
 * neither managed fields nor the annotations of other tools.
 */
export function readOwner(object: BuiltInObject): OwnedImage | null {
  const {
    labels = {},
    annotations = {},
    managedFields = [],
  } = object.metadata as typeof object.metadata & { readonly managedFields?: readonly ManagedFields[] };
  const containers = updatedContainers(object).map((container) => placeOf(object, container));
  const managers = managedFields.flatMap((entry) => (setsImage(entry, containers) ? [toManager(entry)] : []));
  const owner = recognizeOwner({ labels, annotations, managers });
  return owner === null ? null : { owner, containers };
}

function placeOf(object: BuiltInObject, { name }: Container): OwnedContainer {
  const { containers, initContainers = [] } = templateOf(object).spec;
  const template = "jobTemplate" in object.spec ? "/spec/jobTemplate/spec/template" : "/spec/template";
  const index = containers.findIndex((one) => one.name === name);
  const place =
    index === -1 ? `initContainers/${initContainers.findIndex((one) => one.name === name)}` : `containers/${index}`;
  return { name, pointer: `${template}/spec/${place}/image` };
}

function setsImage({ fieldsV1 }: ManagedFields, containers: readonly OwnedContainer[]): boolean {
  return containers.some(({ name, pointer }) => {
    const list = pointer.split("/").slice(1, -2);
    const path = [...list.map((key) => `f:${key}`), `k:${JSON.stringify({ name })}`, "f:image"];
    return path.reduce<Fields | undefined>((fields, key) => fields?.[key], fieldsV1) !== undefined;
  });
}

function toManager({ manager = "", operation }: ManagedFields): FieldManager {
  return { manager, operation: operation === "Apply" ? "Apply" : "Update" };
}
