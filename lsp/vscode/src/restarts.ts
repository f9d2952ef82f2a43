/** How soon a language server that ended by itself is started again, and when no longer. */

/** Waits before the first, second, … restart: one that fell over a passing fault is back before anybody looks. */
export const WAITS_MS: readonly number[] = [500, 3_000, 10_000];
/** After so long without a fault the count begins anew: what happens once an hour is not a loop. */
export const CALM_MS = 5 * 60_000;

/** Counts what happened lately. */
export class Restarts {
    private faults: number[] = [];

    /** The wait before the next start, or undefined when a person should decide. */
    after(fault_ms: number): number | undefined {
        this.faults = this.faults.filter((earlier) => fault_ms - earlier < CALM_MS);
        this.faults.push(fault_ms);
        return WAITS_MS[this.faults.length - 1];
    }

    /** A person asked for a start: what was before does not count. */
    forget(): void {
        this.faults = [];
    }
}
