import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  equals,
  fromBinary,
  fromJsonString,
  toBinary,
  toJsonString,
  type DescMessage,
  type Message,
} from "@bufbuild/protobuf";
import { registry } from "turnwire-schema";

interface Vector {
  name: string;
  type: string;
  json: string | null;
  binary: string | null;
  variants: string[];
  invalid: string[];
}

interface Report {
  vector: string;
  input: string;
  /** Was it read? */
  read: boolean;
  /** Is it, by this runtime, the message that the vector's bytes are? */
  same?: boolean;
  /** The message, written again as JSON and as bytes (in base64). */
  json?: string;
  binary?: string;
  /** Why it was not read, or not written. */
  error?: string;
}

export function check(folder: string): void {
  const index = JSON.parse(readFileSync(join(folder, "index.json"), "utf8")) as { vectors: Vector[] };
  for (const vector of index.vectors) {
    const type = registry.getMessage(vector.type);
    if (!type) {
      throw new Error(`${vector.name}: no message type ${vector.type}`);
    }
    const expected = vector.binary === null ? undefined : fromBinary(type, readFileSync(join(folder, vector.binary)));
    const inputs = [vector.json, vector.binary, ...vector.variants, ...vector.invalid];
    for (const input of inputs.filter((path) => path !== null)) {
      const report = { vector: vector.name, input, ...tryInput(type, join(folder, input), expected) };
      console.log(JSON.stringify(report satisfies Report));
    }
  }
}

function tryInput(type: DescMessage, path: string, expected: Message | undefined): Omit<Report, "vector" | "input"> {
  let message: Message;
  try {
    message = read(type, path);
  } catch (error) {
    return { read: false, error: String(error) };
  }
  const same = expected !== undefined && equals(type, message, expected);
  try {
    const binary = Buffer.from(toBinary(type, message)).toString("base64");
    return { read: true, same, json: toJsonString(type, message, { registry }), binary };
  } catch (error) {
    return { read: true, same, error: String(error) };
  }
}

function read(type: DescMessage, path: string): Message {
  const data = readFileSync(path);
  if (path.endsWith(".binpb")) {
    return fromBinary(type, data);
  }
  // Without `fatal`, bytes that are no UTF-8 would become U+FFFD.
  return fromJsonString(type, new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(data), { registry });
}
