/** The elements of a streamed response: a JSON array, objects one after another, or events. */

/** The stream ended inside of an element, or before the end of the array. */
export class CutStream extends Error {
  override name = "CutStream";
}

/** Yields the JSON text of each element as soon as it is complete. */
export async function* elements(response: Response): AsyncGenerator<string> {
  if (response.body === null) return;
  const isEvents = response.headers.get("Content-Type")?.startsWith("text/event-stream") ?? false;
  const chunks = read(response.body);
  yield* isEvents ? eventData(chunks) : objects(chunks);
}

/** Yields the text of a body in pieces of any length; ends the request when its reader stops. */
async function* read(body: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<string> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } finally {
    await reader.cancel();
  }
}

/** Yields objects that stand in one array, or one after another as in NDJSON. */
async function* objects(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  // The depth of what is around the objects: 1 in an array.
  let outside = 0;
  let depth = 0;
  let inString = false;
  let escaped = false;
  let kept = "";
  for await (const chunk of chunks) {
    let start = 0;
    for (let at = 0; at < chunk.length; at++) {
      const mark = chunk[at];
      if (escaped) escaped = false;
      else if (inString && mark === "\\") escaped = true;
      else if (mark === '"') inString = !inString;
      else if (inString) continue;
      else if (mark === "[" && depth === 0) outside = depth = 1;
      else if (mark === "{" || mark === "[") {
        if (depth++ === outside) start = at;
      } else if (mark === "}" || mark === "]") {
        depth--;
        if (depth === outside) {
          yield kept + chunk.slice(start, at + 1);
          kept = "";
        } else if (depth === 0) outside = 0;
      }
    }
    if (depth > outside) kept += chunk.slice(start);
  }
  if (depth > 0) throw new CutStream("the stream ended in the middle");
}

/** Yields the data of server-sent events: the lines of one event are one text. */
async function* eventData(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = "";
  let data: string[] = [];
  for await (const chunk of chunks) {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines.map((each) => each.replace(/\r$/, ""))) {
      if (line.startsWith("data:")) data.push(line.slice(5));
      else if (line === "" && data.length > 0) {
        yield data.join("\n");
        data = [];
      }
    }
  }
  if (rest !== "" || data.length > 0) throw new CutStream("the stream ended in the middle");
}
