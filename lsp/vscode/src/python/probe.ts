/** Asks a candidate what it is: a Python for its version and ours, the program for its own. */

import { execFile, type ExecFileException } from "node:child_process";
import type { Candidate, Looked } from "./judge";

/** A cold Python on a slow disk has taken three seconds; one that says nothing for ten is broken. */
const ANSWER_MS = 10_000;
/** Of what a broken one says, the end is enough to see why. */
const SAID_CHARACTERS = 400;
/** Marks the answer: an environment may print anything of its own before. */
const MARK = "companion-probe:";

/** Runs on every Python there is, so that an old one can say that it is. Loads nothing heavy. */
const QUESTION = `
import sys
version, wrong = "", ""
try:
    from companion.__about__ import __version__ as version
except ImportError:
    pass
except Exception:
    wrong = str(sys.exc_info()[1])
if version and sys.version_info >= (3, 11):
    from importlib.util import find_spec
    lost = [name for name in ("companion_lsp", "pygls", "duckdb", "typer") if find_spec(name) is None]
    wrong = "It lacks " + ", ".join(lost) + "." if lost else wrong
sys.stdout.write("${MARK}%s|%s|%s\\n" % (".".join(str(part) for part in sys.version_info[:3]), version, wrong))
`;

/** Look at one candidate. `folder` is where it runs: a place with no modules in it. Never rejects. */
export async function look(candidate: Candidate, folder: string): Promise<Looked> {
    const args = candidate.program ? ["--version"] : ["-c", QUESTION];
    const answer = await run(candidate.command, args, folder);
    return candidate.program ? ofProgram(candidate, answer) : ofPython(candidate, answer);
}

interface Answer {
    readonly out: string;
    readonly wrong: string;
}

function run(command: string, args: readonly string[], folder: string): Promise<Answer> {
    const environment = {
        ...process.env,
        PYTHONSAFEPATH: "1",
        PYTHONIOENCODING: "utf-8",
        PYTHONDONTWRITEBYTECODE: "1",
    };
    const options = { cwd: folder, env: environment, timeout: ANSWER_MS, windowsHide: true, encoding: "utf8" } as const;
    return new Promise((resolve) => {
        try {
            execFile(command, [...args], options, (error, out, err) => {
                resolve({ out, wrong: error === null ? "" : complaint(error, err).slice(-SAID_CHARACTERS) });
            });
        } catch (thrown) {
            resolve({ out: "", wrong: String(thrown) }); // a path that no system takes, as one with a null in it
        }
    });
}

function complaint(error: ExecFileException, said: string): string {
    switch (error.code) {
        case "ENOENT":
            return "There is no such program.";
        case "EACCES":
            return "It may not be run.";
        default:
            return error.killed ? "It did not answer." : said.trim() || error.message;
    }
}

/** What a Python's answer says. */
export function ofPython(candidate: Candidate, answer: Answer): Looked {
    const told = answer.out.split(/\r?\n/).find((line) => line.startsWith(MARK));
    if (told === undefined) {
        return { candidate, python: [], companion: "", wrong: answer.wrong || "It is not a Python." };
    }
    const [python = "", version = "", ...wrong] = told.slice(MARK.length).split("|");
    const lacking = wrong.join("|");
    return { candidate, python: python.split(".").map(Number), companion: lacking ? "" : version, wrong: lacking };
}

/** What the program's answer says. */
export function ofProgram(candidate: Candidate, answer: Answer): Looked {
    const told = /^companion (\d+\.\d+\S*)/m.exec(answer.out);
    const wrong = told === null ? answer.wrong || "It is another program of this name." : "";
    return { candidate, python: [], companion: told?.[1] ?? "", wrong };
}
