import { gitRepositoryContract } from "../../contracts/git-repository.ts";
import { createMemoryGit } from "../../support/git/memory-git.ts";

gitRepositoryContract("a repository in memory", async (options) => createMemoryGit(options));
