import { Command } from "commander";
import { toSingleLine } from "../../functions/domain/text/printable.ts";
import { buildAssets } from "../../infra/bundles/page-assets.ts";
import { awaitInterrupt } from "../input/interrupt.ts";
import { printStdout } from "../output/print.ts";
import { readTeamPageConfig } from "../team-page/config.ts";
import { serveTeamPage } from "../team-page/serve-team-page.ts";

export function createCommand(): Command {
  return new Command("team-page")
    .description(
      "Serves the page of the dashboard for a team: several clusters, with a login by OpenID Connect. It has no rights of its own: " +
        "each viewer reads and changes a cluster with the viewer's own ID token.",
    )
    .requiredOption("--config <file>", "YAML file with the address, the logins and the clusters")
    .addHelpText("after", "\nExamples:\n  pawl team-page --config team-page.yaml")
    .action(runTeamPage);
}

async function runTeamPage({ config: file }: { readonly config: string }): Promise<void> {
  const config = readTeamPageConfig(file);
  const log = (line: string) => printStdout(`${new Date().toISOString()} ${toSingleLine(line)}\n`);
  const page = await serveTeamPage({ config, assets: await buildAssets(), log });
  log(`listening on ${page.host} for ${config.url}`);
  await awaitInterrupt();
  await page.close();
}
