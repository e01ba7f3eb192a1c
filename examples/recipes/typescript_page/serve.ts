/** Serves the page on loopback, and plays a recorded session in three formats. */

import { readFileSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src blob: data:; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'";
const FILES: Record<string, [path: string, type: string]> = {
  "/": ["../index.html", "text/html"],
  "/page.css": ["../page.css", "text/css"],
  "/page.js": ["page.js", "text/javascript"],
};
const RECORDED = text("../../../ces_session.ndjson").trimEnd().split("\n");
const ERROR = '{"error": {"code": 429, "status": "RESOURCE_EXHAUSTED", "message": "Slow down."}}';

const server = createServer(async (request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? "/", "http://localhost");
  const file = FILES[pathname];
  if (file !== undefined) {
    response.writeHead(200, { "Content-Type": file[1], "Content-Security-Policy": POLICY });
    response.end(text(file[0]));
  } else if (pathname === "/session") {
    await play(response, searchParams.get("format") ?? "array", searchParams.get("end") ?? "whole");
  } else {
    response.writeHead(404).end();
  }
});

/** Writes the session in small pieces, which end anywhere; or only a part of it. */
async function play(response: ServerResponse, format: string, end: string): Promise<void> {
  const all = end === "error" ? [...RECORDED.slice(0, 5), ERROR] : RECORDED;
  const { type, body } = encoded(format, all);
  const whole = Buffer.from(body);
  const sent = end === "cut" || end === "lost" ? whole.subarray(0, whole.length * 0.4) : whole;
  response.writeHead(200, { "Content-Type": type });
  for (let start = 0; start < sent.length && !response.closed; start += 50) {
    response.write(sent.subarray(start, start + 50));
    await pause(4);
  }
  if (end === "lost") response.destroy();
  else response.end();
}

function encoded(format: string, elements: string[]): { type: string; body: string } {
  switch (format) {
    case "ndjson":
      return { type: "application/x-ndjson", body: elements.map((each) => `${each}\n`).join("") };
    case "events":
      return {
        type: "text/event-stream",
        body: elements.map((each) => `data: ${each}\r\n\r\n`).join(""),
      };
    default:
      return { type: "application/json", body: `[${elements.join(",\n")}]` };
  }
}

function text(path: string): string {
  return readFileSync(new URL(path, import.meta.url), "utf8");
}

server.listen(Number(process.env["PORT"] ?? 8000), "127.0.0.1", () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
