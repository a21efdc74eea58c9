import type { Subject } from "../../../ports/node-pools.ts";
import type { EventSubject } from "../event.ts";
import { apiVersionOf, type Resource } from "../objects.ts";
import { bootcNodeResource, poolResource } from "./resources.ts";

/** Returns the pool, or the BootcNode, or its Node if there is no BootcNode; null if neither exists. */
export function toEventSubject(subject: Subject): EventSubject | null {
  if (subject.kind === "pool") return toObjectReference(poolResource, subject.pool.name, subject.pool);
  const { name, node, bootcNode } = subject.node;
  if (bootcNode !== null) return toObjectReference(bootcNodeResource, name, bootcNode);
  return node === null ? null : { ...toVersion(node), apiVersion: "v1", kind: "Node", name };
}

interface Versioned {
  readonly uid: string;
  readonly resourceVersion: string;
}

function toObjectReference(resource: Resource, name: string, object: Versioned): EventSubject {
  return { ...toVersion(object), apiVersion: apiVersionOf(resource), kind: resource.kind, name };
}

function toVersion({ uid, resourceVersion }: Versioned): Versioned {
  return { uid, resourceVersion };
}
