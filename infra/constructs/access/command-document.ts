import { readFileSync } from "node:fs";
import { CfnDocument } from "aws-cdk-lib/aws-ssm";
import { Construct } from "constructs";
import { parse } from "yaml";
import { type NameScope, resourceName } from "../resource-names.ts";

const content = new URL("../../ssm/bootc-node.yaml", import.meta.url);

/** Returns a fixed name, because the function that sends the document is created independently of it. */
export function commandDocumentName(cluster: NameScope): string {
  return resourceName(cluster, "bootc-node");
}

/** The SSM document for nodes without a daemon, with the only commands that can be sent to them. */
export class CommandDocument extends Construct {
  constructor(scope: Construct, id: string, { cluster }: { readonly cluster: NameScope }) {
    super(scope, id);
    new CfnDocument(this, "Document", {
      name: commandDocumentName(cluster),
      documentType: "Command",
      targetType: "/AWS::EC2::Instance",
      content: parse(readFileSync(content, "utf8")) as unknown,
      // A command in flight keeps the version that it was sent with.
      updateMethod: "NewVersion",
    });
  }
}
