// Bundles the extension into dist/, or with `--test` the unit tests into out/, and runs them.
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { build } from "esbuild";

const shared = { bundle: true, platform: "node", target: "node20", format: "cjs", logLevel: "warning" };

if (process.argv.includes("--test")) {
    const names = readdirSync("test").filter((name) => name.endsWith(".test.ts"));
    await build({ ...shared, entryPoints: names.map((name) => `test/${name}`), outdir: "out", sourcemap: "inline" });
    const files = names.map((name) => `out/${name.replace(/ts$/, "js")}`);
    process.exitCode =
        spawnSync(process.execPath, ["--test", "--test-reporter=spec", ...files], { stdio: "inherit" }).status ?? 1;
} else {
    await build({
        ...shared,
        // The language client is six sevenths of the code and is first wanted after the start: a file of its own.
        entryPoints: ["src/extension.ts", "src/connection.ts"],
        outdir: "dist",
        external: ["vscode", "./connection.js"], // by its full name: the language client has a `./connection` of its own
        supported: { "dynamic-import": false }, // node would look for an ES module, by its full name
        minify: true,
    });
}
