import {
  createConfiguration,
  type KubeConfig,
  type RequestContext,
  ServerConfiguration,
} from "@kubernetes/client-node";

/** A client with the permissions of one group only, and a record of its requests. */
export interface Actor {
  readonly kubeConfig: KubeConfig;
  /** The requests of clients of `kubeConfig`, without duplicates, as `verb resource.group`. */
  readonly requests: ReadonlySet<string>;
}

/** Makes the `kubeConfig` of an admin impersonate a group, or several. */
export function impersonate(group: string | readonly string[], kubeConfig: KubeConfig, user = "pawl-test"): Actor {
  const requests = new Set<string>();

  kubeConfig.addAuthenticator({
    isAuthProvider: () => true,
    applyAuthentication: (_user, options) => {
      options.headers = { ...options.headers, "Impersonate-User": user, "Impersonate-Group": group };
      return Promise.resolve();
    },
  });
  const { httpApi } = createConfiguration();
  const recordingHttpApi = {
    send: (context: RequestContext) => {
      requests.add(formatRequest(context));
      return httpApi.send(context);
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
  return { kubeConfig, requests };
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
