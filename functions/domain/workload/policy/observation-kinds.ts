/** What the checks of an update in flight have seen. No deadline counts while it waits. */
export type Observation =
  /**
   * Its controller has observed `template`, a hash of the pod template: the health timeout counts from `at`, which is later once pods were
   * updated. `remaining` of `desired` pods were still to be updated and available then; absent if they were not counted.
   */
  | {
      readonly kind: "observed";
      readonly at: Date;
      readonly template: string;
      readonly remaining?: number;
      readonly desired?: number;
    }
  /** `since` is absent if a version of Pawl wrote it that did not note it. */
  | { readonly kind: "waiting"; readonly reason: string; readonly since?: Date }
  /** All replicas were ready on the target at `since`, when the bake time began. */
  | { readonly kind: "baking"; readonly since: Date };
