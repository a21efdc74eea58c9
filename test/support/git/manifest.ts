/** Returns a manifest as people write it: comments, quotes and an order of their own. Its image ends with `-bad` in a pre-release. */
export function manifest(name: string, image: string, namespace = "shop", healthTimeout = "1m"): string {
  return `# ${name} of the shop
apiVersion: apps/v1
kind: Deployment
metadata:
    name: ${name}
    namespace: ${namespace}
    annotations:
        {pawl.dev/auto-update: 'true', pawl.dev/write-to: "git", pawl.dev/health-timeout: ${healthTimeout},
         pawl.dev/versioning: semver, pawl.dev/version-constraint: '>=1.0.0-0'}
spec:
    replicas: 1
    selector: {matchLabels: {app: ${name}}}
    template:
        metadata: {labels: {app: ${name}}}
        spec:
            containers:
            - name: app   # the only one
              image: "${image}"   # {"$imagepolicy": "${namespace}:deployment-${name}"}
`;
}
