import { readdirSync, readFileSync } from "node:fs";
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

/** One message and the texts of it; tests/vectors/README.md describes the files. */
interface Vector {
  name: string;
  type: string;
  json: string | null;
  binary: string | null;
  accepted?: Text[];
  refused?: Text[];
}

/** A JSON text, in base64 if it is not UTF-8. */
type Text = { name: string } & ({ json: string } | { base64: string });

/** A JSON text, or bytes in the wire format. */
interface Input {
  name: string;
  data: Uint8Array;
  binary: boolean;
}

interface Report {
  vector: string;
  input: string;
  /** Was it read? */
  read: boolean;
  /** Does it equal, in this runtime, the message in the vector's bytes? */
  same?: boolean;
  /** The message, written again as JSON and as bytes (in base64). */
  json?: string;
  binary?: string;
  /** Why it was not read, or not written. */
  error?: string;
}

/** Reads every test vector in a folder and reports the result of each input. */
export function check(folder: string): void {
  for (const vector of readVectors(folder)) {
    const type = registry.getMessage(vector.type);
    if (!type) {
      throw new Error(`${vector.name}: no message type ${vector.type}`);
    }
    const expected = vector.binary === null ? undefined : fromBinary(type, Buffer.from(vector.binary, "base64"));
    for (const input of inputs(vector)) {
      const report = { vector: vector.name, input: input.name, ...tryInput(type, input, expected) };
      console.log(JSON.stringify(report satisfies Report));
    }
  }
}

function readVectors(folder: string): Vector[] {
  const files = readdirSync(folder).filter((name) => name.endsWith(".json"));
  return files.flatMap((name) => {
    const content = JSON.parse(readFileSync(join(folder, name), "utf8")) as { vectors: Vector[] };
    return content.vectors;
  });
}

function inputs({ name, json, binary, accepted = [], refused = [] }: Vector): Input[] {
  const texts = [...accepted, ...refused].map((text) => ({
    name: text.name,
    data: "json" in text ? Buffer.from(text.json) : Buffer.from(text.base64, "base64"),
    binary: false,
  }));
  if (json === null || binary === null) {
    return texts;
  }
  return [
    { name: `${name}.json`, data: Buffer.from(json), binary: false },
    { name: `${name}.binary`, data: Buffer.from(binary, "base64"), binary: true },
    ...texts,
  ];
}

function tryInput(type: DescMessage, input: Input, expected: Message | undefined): Omit<Report, "vector" | "input"> {
  let message: Message;
  try {
    message = read(type, input);
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

function read(type: DescMessage, { data, binary }: Input): Message {
  if (binary) {
    return fromBinary(type, data);
  }
  // Without `fatal`, bytes that are not UTF-8 would become U+FFFD.
  return fromJsonString(type, new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(data), { registry });
}
