import assert from "node:assert/strict";
import { test } from "node:test";
import {
    isEverywhere,
    isParted,
    offersOf,
    scopeOf,
    scopeWrong,
    typedOf,
    verdictOf,
    openOnes,
    type Contradiction,
    type Open,
    type Scope,
} from "../src/review/verdict";
import type { Row } from "../src/wire";

const NOWHERE: Scope = { language: "", path: "", environment: "", version: "", branch: "" };
function side(label: string, description = "told by hand"): Row {
    const drawn = { icon: "quote", spoken: label, context: "item side", fold: "never", tooltip: "", rows: [] } as const;
    return { ...drawn, id: label, sort: "side", label, description, text: label, opens: ["document", label] };
}

const CONTRADICTION: Contradiction = {
    ...{ id: "x1", a: { draft: { scope: NOWHERE } }, b: { draft: { scope: NOWHERE } } },
    ...{ scope_a: null, scope_b: null, merged: "" },
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

test("a scope is typed as on the command line", () => {
    assert.deepEqual(scopeOf("deploy, environment = ci"), { ...NOWHERE, path: "deploy", environment: "ci" });
    assert.equal(typedOf(scopeOf("environment=ci,path=a b")), "path=a b, environment=ci");
    assert.ok(isEverywhere(scopeOf(" , ")));
    for (const wrong of ["planet=mars", "path=", "=x"]) {
        assert.match(scopeWrong(wrong) ?? "", /^Write NAME=VALUE/, wrong);
    }
    assert.equal(scopeWrong("path=a,b"), undefined);
});

test("each of the four verdicts is asked as the daemon takes it", () => {
    const a = scopeOf("deploy");
    const b = scopeOf("environment=ci");
    assert.deepEqual(verdictOf(CONTRADICTION, "a_wins", " why ", { a, b, merged: "x" }), {
        ...{ id: "x1", resolution: "a_wins", note: "why", merged: "" },
        scopes: { a: null, b: null },
    });
    assert.deepEqual(verdictOf(CONTRADICTION, "both_valid", "", { a, b }).scopes, { a, b });
    assert.deepEqual(verdictOf(CONTRADICTION, "both_valid", "", { a, b: a }).scopes, { a: null, b: null });
    assert.equal(verdictOf(CONTRADICTION, "merged", "", { merged: " both " }).merged, "both");
    assert.ok(isParted(a, b) && !isParted(a, { ...a }));
    assert.deepEqual(
        offersOf(open({ ...CONTRADICTION, scope_a: a, scope_b: b })).map((offer) => offer.detail),
        [
            "told by hand · old",
            "told by hand · new",
            "By their own words: deploy and ci",
            "You say what is true instead",
        ],
    );
});
