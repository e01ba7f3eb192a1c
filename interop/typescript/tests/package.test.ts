import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import * as schema from "turnwire-schema";

const { registry, ...apis } = schema;

for (const [name, api] of Object.entries(apis)) {
  test(`turnwire-schema/${name}/v1 exports every generated file`, () => {
    const generated = readdirSync(`src/gen/turnwire_schema/${name}/v1`).map((file) => file.replace("_pb.ts", ""));
    for (const file of generated) {
      assert.ok(`file_turnwire_schema_${name}_v1_${file}` in api, file);
    }
  });
}

test("the registry knows the messages of all APIs and nested ones", () => {
  for (const type of ["ces.v1.SessionOutput.DiagnosticInfo", "geminidataanalytics.v1.Message"]) {
    assert.ok(registry.getMessage(`turnwire_schema.${type}`), type);
  }
});

test("the README's example is the one that runs", () => {
  const example = readFileSync("examples/chunk-text.ts", "utf8");
  assert.ok(readFileSync("README.md", "utf8").includes("```ts\n" + example + "```"));
  assert.equal(execFileSync("node", ["build/examples/chunk-text.js"], { encoding: "utf8" }), "Two tickets, please.\n");
});
