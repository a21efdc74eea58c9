import { expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { managedLabel } from "../../functions/domain/node-pool/pool/annotations.ts";
import { readDocument, sectionsOf } from "./document.ts";

interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly rules?: readonly { readonly resources: readonly string[]; readonly verbs: readonly string[] }[];
  readonly spec?: {
    readonly selector: { readonly matchLabels: object };
    readonly template: { readonly metadata: { readonly labels: object }; readonly spec: object };
  };
}

test("docs/how-to/node-pool-agents.md has the manifest that the daemon needs", () => {
  const section = sectionsOf(readDocument("node-pool-agents.md"), 2).get("The daemon") ?? "";
  const [, yaml = ""] = /```yaml\n(.*?)```/s.exec(section) ?? [];
  const manifests = parseAllDocuments(yaml).map((document) => document.toJS() as Manifest);
  expect(manifests.map(({ kind }) => kind)).toEqual([
    "Namespace",
    "ServiceAccount",
    "ClusterRole",
    "ClusterRoleBinding",
    "DaemonSet",
  ]);
  const of = (kind: string) => manifests.find((manifest) => manifest.kind === kind);
  const { selector, template } = of("DaemonSet")?.spec ?? {};
  expect(template?.metadata.labels).toEqual(selector?.matchLabels);
  expect(template?.spec).toMatchObject({
    nodeSelector: { [managedLabel]: "" },
    hostPID: true,
    serviceAccountName: of("ServiceAccount")?.metadata.name,
    containers: [{ command: ["daemon"], env: [{ name: "NODE_NAME" }], securityContext: { privileged: true } }],
  });
  expect(of("ClusterRole")?.rules).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ resources: ["bootcnodes"], verbs: ["get", "list", "watch"] }),
      expect.objectContaining({ resources: ["bootcnodes/status"], verbs: ["get", "update", "patch"] }),
    ]),
  );
});
