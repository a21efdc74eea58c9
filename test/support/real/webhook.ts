import { createServer } from "node:https";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { KubeConfig } from "@kubernetes/client-node";
import { createCertificate } from "./certificate.ts";
import { rawRequest } from "../../contracts/kubernetes-api/raw-request.ts";

interface Container {
  readonly name: string;
  readonly image: string;
}

/** Returns the containers that an admitted workload gets in place of its own. */
export type MutateContainers = (containers: readonly Container[]) => readonly Container[];

export interface Webhook {
  /** Of each request of the API server that is answered from now on. */
  mutate: MutateContainers;
  close(): Promise<void>;
}

interface Review {
  readonly request: {
    readonly uid: string;
    readonly object: { readonly spec: { readonly template: { readonly spec: { readonly containers: Container[] } } } };
  };
}

const configurations = "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations";

/** Starts a mutating webhook on the loopback interface for the Deployments and StatefulSets of a namespace. */
export async function startWebhook(
  kubeConfig: KubeConfig,
  namespace: string,
  mutate: MutateContainers = (containers) => containers,
): Promise<Webhook> {
  const { key, cert } = createCertificate();
  const webhook = { mutate };
  const server = createServer({ key, cert }, (request, response) => {
    void respond(request, response, webhook);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const name = `webhook-${namespace}`;
  const { code, text } = await rawRequest(kubeConfig, "POST", configurations, {
    body: {
      apiVersion: "admissionregistration.k8s.io/v1",
      kind: "MutatingWebhookConfiguration",
      metadata: { name },
      webhooks: [
        {
          name: "images.example.com",
          clientConfig: { url: `https://127.0.0.1:${port}/`, caBundle: Buffer.from(cert).toString("base64") },
          rules: [
            {
              apiGroups: ["apps"],
              apiVersions: ["v1"],
              operations: ["CREATE", "UPDATE"],
              resources: ["deployments", "statefulsets"],
            },
          ],
          namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": namespace } },
          sideEffects: "None",
          admissionReviewVersions: ["v1"],
          failurePolicy: "Fail",
        },
      ],
    },
  });
  if (code >= 300) throw new Error(text);
  return {
    get mutate() {
      return webhook.mutate;
    },
    set mutate(next) {
      webhook.mutate = next;
    },
    async close() {
      await rawRequest(kubeConfig, "DELETE", `${configurations}/${name}`, {});
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function respond(request: IncomingMessage, response: ServerResponse, webhook: Pick<Webhook, "mutate">) {
  const review = await readReview(request);
  response.setHeader("Content-Type", "application/json");
  response.end(JSON.stringify(answer(review, webhook.mutate)));
}

async function readReview(request: IncomingMessage): Promise<Review> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return JSON.parse(Buffer.concat(parts).toString()) as Review;
}

function answer({ request: { uid, object } }: Review, mutate: MutateContainers): object {
  const path = "/spec/template/spec/containers";
  const patch = [{ op: "replace", path, value: mutate(object.spec.template.spec.containers) }];
  const response = {
    uid,
    allowed: true,
    patchType: "JSONPatch",
    patch: Buffer.from(JSON.stringify(patch)).toString("base64"),
  };
  return { apiVersion: "admission.k8s.io/v1", kind: "AdmissionReview", response };
}
