import { gitRepositoryContract } from "../../contracts/git-repository.ts";
import { openStandIn } from "./open.ts";

gitRepositoryContract("a stand-in of GitHub", async ({ files = {}, ...options }) => openStandIn(files, options));
