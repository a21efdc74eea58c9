/** The size of a canary: a number of replicas, or a percentage of the desired replicas, rounded up. */
export interface CanarySize {
  readonly unit: "replicas" | "percent";
  readonly amount: number;
}
