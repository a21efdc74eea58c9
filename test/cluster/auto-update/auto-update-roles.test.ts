import { type KubeConfig, RbacAuthorizationV1Api } from "@kubernetes/client-node";
import { beforeAll, expect, test } from "vitest";
import { rawRequest } from "../../contracts/kubernetes-api/raw-request.ts";
import { applyPart, removePart } from "../../infra/cluster/pawl-groups.ts";
import { eventually } from "../../support/control-plane/eventually.ts";
import { describeOnRealCluster, makeNamespace, realKubeConfig } from "../../support/real-cluster.ts";

const writes = ["create", "update", "patch", "delete", "deletecollection"];
const reads = ["get", "list", "watch"];
const permissions = [
  ...[...reads, ...writes].map((verb) => ({ verb, subresource: undefined })),
  ...["get", "update", "patch"].map((verb) => ({ verb, subresource: "status" })),
];

describeOnRealCluster("the roles of Kubernetes for people, with infra/cluster applied", () => {
  let admin: KubeConfig;
  let namespace: string;

  beforeAll(async () => {
    admin = realKubeConfig();
    await applyPart(admin, "rbac");
    namespace = await makeNamespace(admin, "roles");
    const rbac = admin.makeApiClient(RbacAuthorizationV1Api);
    for (const name of ["view", "edit", "admin"]) {
      const subjects = [{ kind: "User", name, apiGroup: "rbac.authorization.k8s.io" }];
      const roleRef = { kind: "ClusterRole", name, apiGroup: "rbac.authorization.k8s.io" };
      await rbac.createNamespacedRoleBinding({ namespace, body: { metadata: { name }, roleRef, subjects } });
      await eventually(`${name} has the rules`, () => isAllowed(name, { verb: "get", subresource: undefined }));
    }
    return () => removePart(admin, "rbac");
  });

  async function isAllowed(user: string, { verb, subresource }: (typeof permissions)[number]): Promise<boolean> {
    const attributes = { namespace, verb, group: "pawl.dev", resource: "autoupdates", subresource };
    const body = {
      apiVersion: "authorization.k8s.io/v1",
      kind: "SubjectAccessReview",
      spec: { user, resourceAttributes: attributes },
    };
    const path = "/apis/authorization.k8s.io/v1/subjectaccessreviews";
    const { code, body: review } = await rawRequest(admin, "POST", path, { body });
    expect(code).toBe(201);
    return (review.status?.["allowed"] as unknown) === true;
  }

  test.for([
    { role: "view", allowed: reads },
    { role: "edit", allowed: [...reads, ...writes] },
    { role: "admin", allowed: [...reads, ...writes] },
  ])("$role allows AutoUpdates as it should, and never their status", async ({ role, allowed }) => {
    const granted: string[] = [];
    for (const one of permissions) {
      if (await isAllowed(role, one)) granted.push(one.subresource ? `${one.verb} ${one.subresource}` : one.verb);
    }
    expect(granted).toEqual(allowed);
  });
});
