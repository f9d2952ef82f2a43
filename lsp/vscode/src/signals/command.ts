/** Words of a task as a command line that a person could have typed. */

/** Words joined, those with blanks or signs quoted as POSIX shells do. */
export function lineOf(words: readonly string[]): string {
    return words.map((word) => (/^[\w@%+=:,./\\-]+$/.test(word) ? word : `'${word.replace(/'/g, "'\\''")}'`)).join(" ");
}
