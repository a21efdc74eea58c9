import { render } from "preact";
import { App } from "./app.tsx";
import { exchangeToken } from "./api.ts";
import { connect } from "./store.ts";
import { applyTheme } from "./theme.ts";

applyTheme();
await exchangeToken();
// An address with a token that is pasted into this tab changes its fragment only.
addEventListener("hashchange", () => void (location.hash.startsWith("#token=") && location.reload()));
connect();
render(<App />, document.getElementById("root") as HTMLElement);
