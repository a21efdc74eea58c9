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

/** One who may do no more than a group may, and what it asked for. */
export interface Actor {
  readonly kubeConfig: KubeConfig;
  /** What clients of `kubeConfig` asked for, each once, as `verb resource.group`. */
  readonly asked: ReadonlySet<string>;
  /** Every patch and deletion that was taken, with the object as it was before. */
  readonly writes: readonly AdmissionRequest[];
}

interface Stored {
  readonly metadata?: { readonly uid?: string };
  readonly kind?: string;
  /** Of a list. */
  readonly items?: readonly Stored[] | null;
}

/** Makes an admin's `kubeConfig` act for a group. Of one object only one request is made at a time. */
export function actingAs(group: string, kubeConfig: KubeConfig): Actor {
  const asked = new Set<string>();
  const writes: AdmissionRequest[] = [];
  const seen = new Map<string, Stored>();

  kubeConfig.addAuthenticator({
    isAuthProvider: () => true,
    applyAuthentication: (_user, options) => {
      options.headers = { ...options.headers, "Impersonate-User": "pawl-test", "Impersonate-Group": group };
      return Promise.resolve();
    },
  });
  const note = async (request: string, context: ResponseContext) => {
    const text = await context.body.text();
    context.body = new SelfDecodingBody(Promise.resolve(Buffer.from(text)));
    const object = context.httpStatusCode < 300 && text.startsWith("{") ? (JSON.parse(text) as Stored) : {};
    if (object.kind !== "PartialObjectMetadataList") {
      for (const item of object.items ?? []) seen.set(item.metadata?.uid ?? "", item);
    }
    const uid = object.metadata?.uid;
    if (uid === undefined) return context;
    const [verb, resource = ""] = request.split(" ");
    const oldObject = seen.get(uid);
    if (verb === "patch" && oldObject !== undefined) {
      writes.push({ operation: "UPDATE", resource, groups: [group], oldObject, object });
    }
    // What is deleted with grace comes back as it was.
    if (verb === "delete")
      writes.push({ operation: "DELETE", resource, groups: [group], oldObject: object, object: null });
    seen.set(uid, object);
    return context;
  };
  const { httpApi } = createConfiguration();
  const noting = {
    send: (context: RequestContext) => {
      const request = requestOf(context);
      asked.add(request);
      return new Observable(
        httpApi
          .send(context)
          .toPromise()
          .then((answer) => note(request, answer)),
      );
    },
  };
  kubeConfig.makeApiClient = (client) =>
    new client(
      createConfiguration({
        baseServer: new ServerConfiguration(kubeConfig.getCurrentCluster()?.server ?? "", {}),
        authMethods: { default: kubeConfig },
        httpApi: noting,
      }),
    );
  return { kubeConfig, asked, writes };
}

/** A request by the words of RBAC: `patch claws/status.claw.prismer.ai`, `list pods`. */
function requestOf(context: RequestContext): string {
  const { pathname } = new URL(context.getUrl());
  const path = /^\/(?:api|apis\/([^/]+))\/[^/]+(?:\/namespaces\/[^/]+)?\/([^/]+)(?:\/([^/]+))?(?:\/([^/]+))?$/.exec(
    pathname,
  );
  const [, group, plural, name, subresource] = path ?? [];
  const verbs: Readonly<Record<string, string>> = { POST: "create", PATCH: "patch", PUT: "update", DELETE: "delete" };
  const verb = verbs[context.getHttpMethod()] ?? (name === undefined ? "list" : "get");
  return `${verb} ${plural}${subresource === undefined ? "" : `/${subresource}`}${group === undefined ? "" : `.${group}`}`;
}
