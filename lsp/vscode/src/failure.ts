/** What the language server could not answer, said to whoever can act on it. */

/** A request that was not answered: what happened, the next step, and the name of the error behind it. */
export class Failure extends Error {
    constructor(
        message: string,
        readonly hint = "",
        readonly sort = "",
    ) {
        super(message);
        this.name = "Failure";
    }

    /** What happened and the next step, for one message. */
    get whole(): string {
        return this.hint ? `${this.message} ${this.hint}` : this.message;
    }
}

/** The answer of one of our requests; throws the Failure that stands in its place. */
export function answered<R>(answer: unknown): R {
    const error = isRecord(answer) ? answer["error"] : undefined;
    if (isRecord(error)) {
        throw new Failure(
            text(error["message"]) || "Companion did not answer.",
            text(error["hint"]),
            text(error["sort"]),
        );
    }
    return answer as R;
}

/** Anything that was thrown, as a Failure. */
export function failureOf(thrown: unknown): Failure {
    return thrown instanceof Failure ? thrown : new Failure(thrown instanceof Error ? thrown.message : String(thrown));
}

/** Whether a value out of JSON is an object whose fields can be looked at. */
export function isRecord(value: unknown): value is Record<string, unknown> {
    return typeof value === "object" && value !== null && !Array.isArray(value);
}

function text(value: unknown): string {
    return typeof value === "string" ? value : "";
}
