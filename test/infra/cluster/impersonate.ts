import {
  createConfiguration,
  type KubeConfig,
  Observable,
  type RequestContext,
  type ResponseContext,
  SelfDecodingBody,
  ServerConfiguration,
} from "@kubernetes/client-node";
import type { AdmissionRequest } from "./admission.ts";

/** A client with the permissions of one group only, and a record of its requests. */
export interface Actor {
  readonly kubeConfig: KubeConfig;
  /** The requests of clients of `kubeConfig`, without duplicates, as `verb resource.group`. */
  readonly requests: ReadonlySet<string>;
  /** Every creation, patch and deletion that succeeded, with the previous object. */
  readonly writes: readonly AdmissionRequest[];
}

interface Stored {
  readonly metadata?: { readonly uid?: string };
  readonly kind?: string;
  /** Of the Status that answers the deletion of a custom resource. */
  readonly details?: { readonly uid?: string };
  /** Present in a list. */
  readonly items?: readonly Stored[] | null;
}

/** Makes the `kubeConfig` of an admin impersonate a group. Requests for one object must not run concurrently. */
export function impersonate(group: string, kubeConfig: KubeConfig): Actor {
  const requests = new Set<string>();
  const writes: AdmissionRequest[] = [];
  const lastRead = new Map<string, Stored>();

  kubeConfig.addAuthenticator({
    isAuthProvider: () => true,
    applyAuthentication: (_user, options) => {
      options.headers = { ...options.headers, "Impersonate-User": "pawl-test", "Impersonate-Group": group };
      return Promise.resolve();
    },
  });
  const recordResponse = async (request: string, context: ResponseContext) => {
    const text = await context.body.text();
    context.body = new SelfDecodingBody(Promise.resolve(Buffer.from(text)));
    const object = context.httpStatusCode < 300 && text.startsWith("{") ? (JSON.parse(text) as Stored) : {};
    if (object.kind !== "PartialObjectMetadataList") {
      for (const item of object.items ?? []) lastRead.set(item.metadata?.uid ?? "", item);
    }
    const uid = object.metadata?.uid ?? object.details?.uid;
    if (uid === undefined) return context;
    const [verb, resource = ""] = request.split(" ");
    const oldObject = lastRead.get(uid);
    if (verb === "patch" && oldObject !== undefined) {
      writes.push({ operation: "UPDATE", resource, groups: [group], oldObject, object });
    }
    if (verb === "create") writes.push({ operation: "CREATE", resource, groups: [group], oldObject: null, object });
    // The response to a graceful deletion contains the previous object.
    const deleted = object.kind === "Status" ? oldObject : object;
    if (verb === "delete" && deleted !== undefined)
      writes.push({ operation: "DELETE", resource, groups: [group], oldObject: deleted, object: null });
    lastRead.set(uid, deleted ?? object);
    return context;
  };
  const { httpApi } = createConfiguration();
  const recordingHttpApi = {
    send: (context: RequestContext) => {
      const request = formatRequest(context);
      requests.add(request);
      return new Observable(
        httpApi
          .send(context)
          .toPromise()
          .then((response) => recordResponse(request, response)),
      );
    },
  };
  kubeConfig.makeApiClient = (client) =>
    new client(
      createConfiguration({
        baseServer: new ServerConfiguration(kubeConfig.getCurrentCluster()?.server ?? "", {}),
        authMethods: { default: kubeConfig },
        httpApi: recordingHttpApi,
      }),
    );
  return { kubeConfig, requests, writes };
}

/** Formats a request like a permission: `patch claws/status.claw.prismer.ai`, `list pods`. */
function formatRequest(context: RequestContext): string {
  const { pathname } = new URL(context.getUrl());
  const path = /^\/(?:api|apis\/([^/]+))\/[^/]+(?:\/namespaces\/[^/]+)?\/([^/]+)(?:\/([^/]+))?(?:\/([^/]+))?$/.exec(
    pathname,
  );
  const [, group, plural, name, subresource] = path ?? [];
  const verbs: Readonly<Record<string, string>> = { POST: "create", PATCH: "patch", PUT: "update", DELETE: "delete" };
  const verb = verbs[context.getHttpMethod()] ?? (name === undefined ? "list" : "get");
  return `${verb} ${plural}${subresource === undefined ? "" : `/${subresource}`}${group === undefined ? "" : `.${group}`}`;
}
