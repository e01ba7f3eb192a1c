import assert from "node:assert/strict";
import { test } from "node:test";
import { CutStream } from "./elements.js";
import { responses, ServiceError } from "./session.js";

const ITEMS = ['{"outputs": [{"text": "[{\\"}\\\\"}]}', '{\n"outputs": [{"text": "Žlutá 🚢"}], "new": [[]]}'];
const LINES = ITEMS.map((item) => item.replace("\n", ""));
const BODIES: [name: string, type: string, body: string][] = [
  ["an array", "application/json", `[${ITEMS.join(",\r\n")}]\n`],
  ["an array with blanks", "application/json; charset=utf-8", `[\n${ITEMS.join("\n,")}\n]`],
  ["NDJSON", "application/x-ndjson", LINES.map((line) => `${line}\n`).join("")],
  ["NDJSON without a last line end", "application/x-ndjson", LINES.join("\r\n\r\n")],
  [
    "events with names",
    "text/event-stream",
    `: hello\n\n${LINES.map((line) => `event: message\ndata: ${line}\n\n`).join("")}`,
  ],
  [
    "events of several lines",
    "text/event-stream",
    ITEMS.map((item) => `data:${item.replace("\n", "\r\ndata:")}\r\n\r\n`).join(""),
  ],
];

function responseOf(type: string, bytes: Uint8Array, size: number, status = 200): Response {
  let start = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (start < bytes.length) controller.enqueue(bytes.subarray(start, (start += size)));
      else controller.close();
    },
  });
  return new Response(body, { status, headers: { "Content-Type": type } });
}

async function texts(response: Response, found: string[] = []): Promise<string[]> {
  for await (const { outputs } of responses(response)) {
    for (const { outputType } of outputs) if (outputType.case === "text") found.push(outputType.value);
  }
  return found;
}

for (const [name, type, body] of BODIES) {
  const bytes = new TextEncoder().encode(body);
  test(`${name} in pieces of every size`, async () => {
    for (let size = 1; size <= bytes.length; size++) {
      assert.deepEqual(await texts(responseOf(type, bytes, size)), ['[{"}\\', "Žlutá 🚢"]);
    }
  });
  test(`${name}, cut inside of its second element`, async () => {
    const cut = bytes.subarray(0, body.lastIndexOf("outputs"));
    const found: string[] = [];
    await assert.rejects(texts(responseOf(type, cut, 7), found), CutStream);
    assert.deepEqual(found, ['[{"}\\']);
  });
}

test("an error of the service comes after the messages before it", async () => {
  const body = new TextEncoder().encode(`[${ITEMS[1]}, {"error": {"code": 8, "message": "m"}}]`);
  const found: string[] = [];
  await assert.rejects(texts(responseOf("application/json", body, 9), found), new ServiceError(8, "m"));
  assert.deepEqual(found, ["Žlutá 🚢"]);
});

test("a refusal without a reason has the status of the response", async () => {
  const refused = responseOf("text/html", new TextEncoder().encode("<h1>Busy</h1>"), 3, 503);
  await assert.rejects(texts(refused), ServiceError);
});
