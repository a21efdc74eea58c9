/** https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/cloudformation-limits.html */
export const maxResources = 500;

/** Resources of a cluster in the stack; with node pools one less if SSM is not used. */
export const resourcesPerCluster = 106;
export const resourcesWithNodePools = 158;

/** Of the function that restores releases. */
export const resourcesOfReleases = 6;

/** The bus, the topic, the dashboard and other shared resources, including some notifications. */
const sharedResources = 20;

export const maxClusters = Math.floor((maxResources - sharedResources) / resourcesPerCluster);

interface ClusterSize {
  readonly nodePools: object | null;
  readonly releases: boolean;
}

/** Returns why these clusters do not fit into one stack, or null. */
export function stackSizeProblem(clusters: readonly ClusterSize[]): string | null {
  if (clusters.length > maxClusters) return null;
  const withPools = clusters.filter(({ nodePools }) => nodePools !== null).length;
  const withReleases = clusters.filter(({ releases }) => releases).length;
  const without = clusters.length - withPools;
  const resources =
    sharedResources +
    withPools * resourcesWithNodePools +
    without * resourcesPerCluster +
    withReleases * resourcesOfReleases;
  if (resources <= maxResources) return null;
  const fewer = withReleases > 0 ? ", and fewer with releases" : "";
  return (
    `${withPools} with nodePools and ${without} without need about ${resources} resources, and CloudFormation allows ` +
    `${maxResources} per stack; use at most 3 and 0, 2 and 1, or 1 and 3${fewer}`
  );
}
