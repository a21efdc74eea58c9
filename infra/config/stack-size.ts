/** https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/cloudformation-limits.html */
export const maxResources = 500;

/** Resources of a cluster in the stack; with node pools one less if SSM is not used. */
export const resourcesPerCluster = 106;
export const resourcesWithNodePools = 158;

/** The bus, the topic, the dashboard and other shared resources, including some notifications. */
const sharedResources = 20;

export const maxClusters = Math.floor((maxResources - sharedResources) / resourcesPerCluster);

/** Returns why these clusters do not fit into one stack, or null. Each cluster is given by its node pools. */
export function stackSizeProblem(nodePools: readonly (object | null)[]): string | null {
  if (nodePools.length > maxClusters) return null;
  const withPools = nodePools.filter((pools) => pools !== null).length;
  const without = nodePools.length - withPools;
  const resources = sharedResources + withPools * resourcesWithNodePools + without * resourcesPerCluster;
  if (resources <= maxResources) return null;
  return (
    `${withPools} with nodePools and ${without} without need about ${resources} resources, and CloudFormation allows ` +
    `${maxResources} per stack; use at most 3 and 0, 2 and 1, or 1 and 3`
  );
}
