// Compiles each definition of a bundle with Ajv in strict mode, and validates texts if given:
// `node validate.js BUNDLE.json [TEXTS.json]`. TEXTS has lists of JSON texts by definition.
import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";

const read = (path) => JSON.parse(readFileSync(path, "utf8"));
const [bundle, texts] = process.argv.slice(2).map(read);
const ajv = new Ajv2020({ strict: true });
ajv.addSchema(bundle);
for (const name of Object.keys(bundle.$defs)) {
  const validate = ajv.compile({ $ref: `${bundle.$id}#/$defs/${name}` });
  for (const text of texts?.[name] ?? []) {
    if (!validate(JSON.parse(text))) {
      throw new Error(`${name} refuses ${text.slice(0, 200)}: ${ajv.errorsText(validate.errors)}`);
    }
  }
}
