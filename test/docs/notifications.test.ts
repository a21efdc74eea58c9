import { describe, expect, test } from "vitest";
import { notifiedEvents } from "../../functions/domain/notification/event-types.ts";
import { filterFields, slackFields, webhookFields } from "../../functions/domain/notification/target.ts";
import { tokenNames } from "../../functions/domain/notification/tokens.ts";
import { readConfig } from "../../infra/config/read-config.ts";
import { readDocument } from "./document.ts";

describe("docs/how-to/notifications.md", () => {
  const text = readDocument("notifications.md");

  test("names every type of event that is a success or a failure", () => {
    const [, success = "", failure = ""] = /`success` \(([^)]*)\), `failure` \(([^)]*)\)/.exec(text) ?? [];
    const listed = (types: string) => types.split(/[,;]/).map((type) => type.trim());
    expect(listed(success)).toEqual(notifiedEvents.success);
    expect(listed(failure)).toEqual(notifiedEvents.failure);
  });

  test("has every token, and no other", () => {
    const section = text.slice(text.indexOf("| token |"), text.indexOf("### PagerDuty"));
    const tokens = [...section.matchAll(/\{\{([^}]*)\}\}/g)].map(([, token]) => token);
    expect(tokens).toEqual([...tokenNames, "secret", "secret.KEY"]);
  });

  test("has every field of a target", () => {
    const fields = Object.keys({ ...filterFields, ...slackFields, ...webhookFields });
    const missing = fields.filter((field) => !text.includes(`| \`${field}\` |`));
    expect(missing).toEqual(["kind", "name"]);
  });

  test("shows a valid configuration", () => {
    const [example = "", ...targets] = [...text.matchAll(/```json\n(.*?)```/gs)].map(([, json = ""]) => json);
    const clusters = [{ name: "prod", eks: { clusterName: "prod", region: "eu-central-1" } }];
    const { notifications } = JSON.parse(`{${example}}`) as { notifications: readonly object[] };
    expect(targets).toHaveLength(3);
    const all = [...notifications, ...targets.flatMap((target) => JSON.parse(target) as object | object[])];
    const config = { clusters, notifications: all };
    expect(readConfig(config, { allowsPlaceholders: true })).toMatchObject({ kind: "config" });
  });
});
