/** URIs of documents that exist in no file; the language server writes them in the same way. */

/** What a virtual document that is opened from here shows. */
export type Sort = "memory" | "older" | "newer";

/** Characters of a title in an address: a tab shows fewer. */
const NAME_CHARACTERS = 60;
/** Signs that part an address, or that no file may be called by. */
const UNNAMED = /[/\\?#:*"<>|]+/g;

/** The URI of what stands behind an id or path. `root` is the URI of the work tree; a memory's title names its tab. */
export function virtual(sort: Sort, subject: string, root: string, title = ""): string {
    const name = nameOf(title);
    const named = name ? `${encoded(subject)}/${encoded(name)}` : encoded(subject);
    return `companion:///${sort}/${named}.md?root=${encoded(pathOf(root))}`;
}

/** A title as a file may be called. */
export function nameOf(title: string): string {
    const signs = [...title.replace(UNNAMED, " ")].slice(0, NAME_CHARACTERS).join("");
    return signs.replace(/^[ .]+|[ .]+$/g, "");
}

/** Whether the path of a memory's evidence lies inside its work tree. */
export function isInside(path: string): boolean {
    return path !== "" && !/^([\\/]|[A-Za-z]:)/.test(path) && !path.split(/[\\/]/).includes("..");
}

function pathOf(root: string): string {
    const { host, pathname } = new URL(root);
    const path = decodeURIComponent(pathname);
    return host ? `//${host}${path}` : path.replace(/^\/(?=[A-Za-z]:\/)/, "");
}

function encoded(path: string): string {
    return path.split("/").map(encodeURIComponent).join("/");
}
