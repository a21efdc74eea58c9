import type { Subject } from "../../../ports/node-pools.ts";
import type { EventSubject } from "../event.ts";
import { apiVersionOf, type Resource } from "../objects.ts";
import { bootcNodeResource, poolResource } from "./resources.ts";

/** The pool, or the BootcNode, or where there is none its Node; null where both are gone. */
export function subjectOf(subject: Subject): EventSubject | null {
  if (subject.kind === "pool") return objectOf(poolResource, subject.pool.name, subject.pool);
  const { name, node, bootcNode } = subject.node;
  if (bootcNode !== null) return objectOf(bootcNodeResource, name, bootcNode);
  return node === null ? null : { ...versionOf(node), apiVersion: "v1", kind: "Node", name };
}

interface Versioned {
  readonly uid: string;
  readonly resourceVersion: string;
}

function objectOf(resource: Resource, name: string, object: Versioned): EventSubject {
  return { ...versionOf(object), apiVersion: apiVersionOf(resource), kind: resource.kind, name };
}

function versionOf({ uid, resourceVersion }: Versioned): Versioned {
  return { uid, resourceVersion };
}
