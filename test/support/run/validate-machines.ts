import { readdirSync } from "node:fs";
import validate from "asl-validator";
import { readDefinition } from "../../../infra/read-definition.ts";

/** Runs asl-validator over every state machine, with the ARNs that a deployment puts in. */
const folder = new URL("../../../state-machines/", import.meta.url);
let failed = false;
for (const file of readdirSync(folder).filter((name) => name.endsWith(".asl.yaml"))) {
  const deployed = readDefinition(file.replace(/\.asl\.yaml$/, ""))
    .replaceAll("${Partition}", "aws")
    .replaceAll(/\$\{\w+\}/g, "arn:aws:lambda:eu-west-1:123456789012:function:pawl:live");
  const { isValid, errorsText } = validate(JSON.parse(deployed));
  process.stdout.write(`${file}: ${isValid ? "valid" : errorsText()}\n`);
  failed ||= !isValid;
}
process.exitCode = failed ? 1 : 0;
