import { readFileSync } from "node:fs";
import { CfnDocument } from "aws-cdk-lib/aws-ssm";
import { Construct } from "constructs";
import { parse } from "yaml";
import { nameOf } from "./names.ts";

const content = new URL("../ssm/bootc-node.yaml", import.meta.url);

/** Built from the name: the function that sends it is made beside it. */
export function commandDocumentName(cluster: string): string {
  return nameOf(cluster, "bootc-node");
}

/** The SSM document by which nodes without a daemon are commanded: all that they can be told to do. */
export class CommandDocument extends Construct {
  constructor(scope: Construct, id: string, { cluster }: { readonly cluster: string }) {
    super(scope, id);
    new CfnDocument(this, "Document", {
      name: commandDocumentName(cluster),
      documentType: "Command",
      targetType: "/AWS::EC2::Instance",
      content: parse(readFileSync(content, "utf8")) as unknown,
      // A command in flight goes on with the version that it was sent with.
      updateMethod: "NewVersion",
    });
  }
}
