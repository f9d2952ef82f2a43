/** The command that installs Companion into an environment of its own, as each shell wants it written. */

/** Shells that write a command line in their own way; all others do it as POSIX shells do. */
export type Shell = "powershell" | "cmd" | "posix";

/** Which way a shell writes, by its file's name. */
export function shellOf(file: string): Shell {
    const name = file
        .replace(/^.*[\\/]/, "")
        .replace(/\.exe$/i, "")
        .toLowerCase();
    if (name === "powershell" || name === "pwsh") {
        return "powershell";
    }
    return name === "cmd" ? "cmd" : "posix";
}

/** Makes an environment and installs Companion into it from a folder or a wheel, in one line for a terminal. */
export function installLine(shell: Shell, base: string, environment: string, python: string, source: string): string {
    const make = [base, "-m", "venv", environment];
    const install = [python, "-m", "pip", "install", "--upgrade", source];
    switch (shell) {
        case "powershell":
            return `${powershell(make)}; if ($?) { ${powershell(install)} }`;
        case "cmd":
            return `${make.map(cmd).join(" ")} && ${install.map(cmd).join(" ")}`;
        case "posix":
            return `${make.map(posix).join(" ")} && ${install.map(posix).join(" ")}`;
    }
}

function powershell(words: readonly string[]): string {
    const quoted = words.map((word) => (PLAIN.test(word) ? word : `'${word.replace(/'/g, "''")}'`));
    return quoted[0]?.startsWith("'") ? `& ${quoted.join(" ")}` : quoted.join(" ");
}

function cmd(word: string): string {
    return PLAIN.test(word) ? word : `"${word.replace(/"/g, '""')}"`;
}

function posix(word: string): string {
    return PLAIN.test(word) ? word : `'${word.replace(/'/g, "'\\''")}'`;
}

/** Words that mean nothing to any shell. */
const PLAIN = /^[\w@%+:,./\\-]+$/;
