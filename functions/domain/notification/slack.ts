import { truncate } from "../text/summarize-list.ts";
import type { EventOutcome } from "./event-types.ts";
import type { Tokens } from "./tokens.ts";

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
export function slackMessage(tokens: Tokens, outcome: EventOutcome): object {
  const { event, cluster, kind, namespace, name, node, version, execution, reason } = tokens;
  const subject = `${kind} ${namespace === "" ? "" : `${namespace}/`}${name}${node === "" ? "" : `, node ${node}`}`;
  const facts = [`cluster ${cluster}`, version && `version ${version}`, execution && `execution ${execution}`];
  const details = facts.filter((fact) => fact !== "").join(" · ");
  return {
    text: escape(`${event}: ${subject}`),
    attachments: [
      {
        color: colours[outcome],
        blocks: [
          ...(reason === "" ? [] : [section(reason)]),
          { type: "context", elements: [{ type: "mrkdwn", text: escape(truncate(details, maxReasonLength)) }] },
        ],
      },
    ],
  };
}

function section(reason: string): object {
  return { type: "section", text: { type: "mrkdwn", text: escape(truncate(reason, maxReasonLength)) } };
}

/** Texts of others must not mention people or show links. https://docs.slack.dev/messaging/formatting-message-text#escaping */
function escape(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
