/** What the checks of an update in flight have seen. No deadline counts while it waits. */
export type Observation =
  /** Its controller has observed `template`, a hash of the pod template: the health timeout counts from then. */
  | { readonly kind: "observed"; readonly at: Date; readonly template: string }
  | { readonly kind: "waiting"; readonly reason: string }
  /** All replicas were ready on the target at `since`, when the bake time began. */
  | { readonly kind: "baking"; readonly since: Date };
