import { render } from "preact";
import { App } from "./app.tsx";
import { exchangeToken } from "./api.ts";
import { connect } from "./store.ts";
import { applyTheme } from "./theme.ts";

applyTheme();
await exchangeToken();
connect();
render(<App />, document.getElementById("root") as HTMLElement);
