import assert from "node:assert/strict";
import { test } from "node:test";
import { offersOf, verdictOf, openOnes, type Contradiction, type Open, type Scope } from "../src/review/verdict";
import type { Row } from "../src/wire";

const NOWHERE: Scope = { language: "", path: "", environment: "", version: "", branch: "" };
function side(label: string, description = "told by hand"): Row {
    const drawn = { icon: "quote", spoken: label, context: "item side", fold: "never", tooltip: "", rows: [] } as const;
    return { ...drawn, id: label, sort: "side", label, description, text: label, opens: ["document", label] };
}

const CONTRADICTION: Contradiction = {
    ...{ id: "x1", scope_a: null, scope_b: null, merged: "" },
};

function open(one: Contradiction = CONTRADICTION, ...sides: Row[]): Open {
    const row = { ...side("old ↔ new"), rows: sides.length === 2 ? sides : [side("old"), side("new")] };
    const [found] = openOnes([one], [row]);
    assert.ok(found);
    return found;
}

test("a side is offered by what it says, where, and how many say the same", () => {
    const twins = open(CONTRADICTION, side("old", "told by hand and 2 that say the same"), side("new"));
    assert.deepEqual(
        offersOf(twins)
            .slice(0, 2)
            .map((offer) => offer.detail),
        ["told by hand and 2 that say the same · old", "told by hand · new"],
    );
    assert.deepEqual(openOnes([CONTRADICTION], []), [], "one whose row did not come is not offered");
});

test("each of the four verdicts is asked as the daemon takes it", () => {
    const a = { ...NOWHERE, path: "deploy" };
    const b = { ...NOWHERE, environment: "ci" };
    const parted = { ...CONTRADICTION, scope_a: a, scope_b: b };
    assert.deepEqual(verdictOf(parted, "a_wins", " why ", "x"), {
        ...{ id: "x1", resolution: "a_wins", note: "why", merged: "" },
        scopes: { a: null, b: null },
    });
    assert.deepEqual(verdictOf(parted, "both_valid", "").scopes, { a, b });
    assert.equal(verdictOf(CONTRADICTION, "merged", "", " both ").merged, "both");
    assert.deepEqual(
        offersOf(open(parted)).map((offer) => offer.detail),
        [
            "told by hand · old",
            "told by hand · new",
            "By their own words: deploy and ci",
            "You say what is true instead",
        ],
    );
});

test("where both hold in places that nobody has named, the page asks for them", () => {
    const ways = offersOf(open()).map((offer) => offer.way);
    assert.deepEqual(ways, ["a_wins", "b_wins", "elsewhere", "merged"]);
});
