import { buildAssets } from "../../infra/bundles/page-assets.ts";
import { openView, type ViewOptions } from "./open-view.ts";
import { serveDashboard } from "./server/serve.ts";
import { createStreams } from "./server/stream.ts";

interface Dashboard {
  /** With the token of this run. */
  readonly url: string;
  close(): Promise<void>;
}

interface Options extends ViewOptions {
  /** 0 is a free port. */
  readonly port: number;
}

/** Serves the dashboard of a cluster with the rights of the kubeconfig's user. Throws `InvalidInput`, or if the port is in use. */
export async function openDashboard({ port, ...options }: Options): Promise<Dashboard> {
  const streams = createStreams();
  const view = await openView(options, (message) => streams.publish(message));
  const close = () => {
    view.close();
    streams.close();
  };
  try {
    const server = await serveDashboard({ port, assets: await buildAssets(), view, streams });
    return {
      url: server.url,
      async close() {
        close();
        await server.close();
      },
    };
  } catch (error) {
    close();
    throw error;
  }
}
