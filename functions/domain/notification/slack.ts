import { truncate } from "../text/summarize-list.ts";
import { describeHeld } from "./daily-digest.ts";
import { type EventOutcome, outcomeOf } from "./event-types.ts";
import { describeCounts, describeEvents, type EventGroup, titleOf } from "./group.ts";
import { type Tokens, tokensOf } from "./tokens.ts";

const colours: Readonly<Record<EventOutcome, string>> = {
  success: "#2eb67d",
  failure: "#e01e5a",
  information: "#808080",
};

/** In characters; a section of Slack holds 3,000, and each may become five when it is escaped. */
const maxReasonLength = 580;

/**
 * Returns the message of Slack's incoming webhooks, which other chats accept too:
 * https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks
 */
export function slackMessage(group: EventGroup, pageUrl?: string | null): object {
  const [{ detail, "detail-type": type }] = group;
  const { held, more = 0 } = detail;
  const tokens = tokensOf(group);
  const { cluster, kind, namespace, name, node, version, execution, reason } = tokens;
  const isAlone = group.length === 1;
  const subject = subjectOf(tokens);
  const digest = held === undefined ? [reason] : [...held.map(describeHeld), more === 0 ? "" : `and ${more} more`];
  const texts = isAlone ? digest : describeEvents(group);
  const path = [kind.toLowerCase(), namespace, name].filter((part) => part !== "").map(encodeURIComponent);
  const page = `${pageUrl}#/${!isAlone || namespace === "" ? "workloads" : `workload/${path.join("/")}`}`;
  const clusters = new Set(group.map((one) => one.detail.cluster));
  const facts = isAlone
    ? [`cluster ${cluster}`, version && `version ${version}`, execution && `execution ${execution}`]
    : [`${clusters.size === 1 ? "cluster" : "clusters"} ${[...clusters].join(", ")}`];
  const details = facts.filter((fact) => fact !== "").join(" · ");
  const title = subject === "" ? `${titleOf(group[0])}: cluster ${cluster}` : `${titleOf(group[0])}: ${subject}`;
  return {
    text: escape(isAlone ? title : describeCounts(group)),
    attachments: [
      {
        color: colours[outcomeOf(type)],
        blocks: [
          ...texts.filter((text) => text !== "").map(section),
          ...(!pageUrl || node !== "" ? [] : [markdown(`<${page}|Open the page>`)]),
          { type: "context", elements: [{ type: "mrkdwn", text: escape(truncate(details, maxReasonLength)) }] },
        ],
      },
    ],
  };
}

function subjectOf({ kind, namespace, name, node }: Tokens): string {
  const path = `${kind} ${namespace === "" ? "" : `${namespace}/`}${name}`.trim();
  return `${path}${node === "" ? "" : `, node ${node}`}`;
}

function section(reason: string): object {
  return markdown(escape(truncate(reason, maxReasonLength)));
}

function markdown(written: string): object {
  return { type: "section", text: { type: "mrkdwn", text: written } };
}

/** Texts of others must not mention people or show links. https://docs.slack.dev/messaging/formatting-message-text#escaping */
function escape(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
