// The entry `pawl/cdk` of the package: the constructs, and the types of their props.
export { Pawl, type IPawl, type PawlProps } from "./pawl.ts";
export { PawlCluster, type PawlClusterProps } from "./pawl-cluster.ts";
export type * from "./props/cluster.ts";
export type * from "./props/notifications.ts";
export type * from "./props/shared.ts";
