import { registerHooks } from "node:module";

// Preloaded with --import: at the end the names of the clients' packages that were loaded are told on stdout.
const loaded = new Set<string>();

registerHooks({
  load(url, context, nextLoad) {
    const found = /node_modules\/(@aws-sdk\/client-[\w-]+|@kubernetes\/client-node)\//.exec(url);
    if (found?.[1] !== undefined) loaded.add(found[1]);
    return nextLoad(url, context);
  },
});

process.on("exit", () => process.stdout.write(`\n${JSON.stringify([...loaded].toSorted())}\n`));
