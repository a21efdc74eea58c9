// The entry `pawl/cdk` of the package: the stacks of a configuration file, or the constructs and the types of their props.
export { type ConfigReading, readConfig, type ReadingOptions } from "./config/read-config.ts";
export { createPawlStacks } from "./pawl-stacks.ts";
export { Pawl, type IPawl, type PawlProps } from "./pawl.ts";
export { PawlCluster, type PawlClusterProps } from "./pawl-cluster.ts";
export type * from "./props/cluster.ts";
export type * from "./props/notifications.ts";
export type * from "./props/shared.ts";
