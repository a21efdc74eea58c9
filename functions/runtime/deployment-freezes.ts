import { withArnRegion, withTimeouts } from "../adapters/aws/client.ts";
import { type Freezes, mergeFreezes } from "../domain/gates/freeze.ts";
import type { Cluster } from "../ports/cluster.ts";
import type { AdapterOptions } from "./open-aws.ts";
import type { Settings } from "./settings.ts";

/** A calendar must not use up the time of a step, of which it is one of three attempts. */
const calendarTimeoutSeconds = 3;

interface Options extends Pick<AdapterOptions, "aws"> {
  readonly settings: Pick<Settings, "freezes" | "changeCalendars">;
  /** Calendars are asked for their state at this time instead of now. */
  readonly at?: Date;
}

/** Adds the freezes that the deployment orders, and those of its calendars, to those of the cluster. */
export function withDeploymentFreezes(cluster: Cluster, { settings, aws, at }: Options): Cluster {
  const { freezes, changeCalendars } = settings;
  if (freezes.length === 0 && changeCalendars.length === 0) return cluster;

  async function readCalendar(calendar: string): Promise<Freezes> {
    const { SSMClient } = await import("@aws-sdk/client-ssm");
    const { readChangeCalendar } = await import("../adapters/aws/ssm/change-calendar.ts");
    const client = new SSMClient(withTimeouts(withArnRegion(calendar, aws), calendarTimeoutSeconds));
    return readChangeCalendar(client, calendar, at).finally(() => client.destroy());
  }

  return {
    ...cluster,
    async readFreeze() {
      const [found, ...calendars] = await Promise.all([cluster.readFreeze(), ...changeCalendars.map(readCalendar)]);
      return { ...found, ofDeployment: mergeFreezes({ kind: "known", freezes }, ...calendars) };
    },
  };
}
