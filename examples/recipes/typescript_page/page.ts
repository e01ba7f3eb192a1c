/** Asks the server for a session, and shows each message as it arrives. */

import type { SessionOutput, ToolCall } from "turnwire-schema/ces/v1";
import { CutStream } from "./elements.js";
import { responses, ServiceError } from "./session.js";

const form = find("form", HTMLFormElement);
const format = find("#format", HTMLSelectElement);
const end = find("#end", HTMLSelectElement);
const log = find("#log", HTMLElement);
const status = find("#status", HTMLElement);

form.addEventListener("submit", (event) => {
  event.preventDefault();
  void run(`/session?format=${format.value}&end=${end.value}`);
});

async function run(url: string): Promise<void> {
  form.inert = true;
  log.replaceChildren();
  status.textContent = "…";
  try {
    let completed = false;
    for await (const response of responses(await fetch(url))) {
      for (const output of response.outputs) {
        show(output);
        completed = output.turnCompleted;
      }
    }
    if (!completed) throw new CutStream("the last turn is not complete");
    status.textContent = "Complete.";
  } catch (error) {
    status.textContent = sentence(error);
  }
  form.inert = false;
}

function sentence(error: unknown): string {
  if (error instanceof ServiceError) return `The service reports ${error.code}: ${error.message}`;
  if (error instanceof CutStream) return `The answer is not whole: ${error.message}.`;
  // An error of fetch, or text that is not such a message.
  return `The answer is not whole: ${error instanceof Error ? error.message : error}`;
}

/** Shows an output. The compiler says which case is missing when the schema gets a new one. */
function show({ turnIndex, outputType }: SessionOutput): void {
  const { case: kind, value } = outputType;
  switch (kind) {
    case "text":
      return turn(turnIndex).append(value);
    case "progress":
      status.textContent = value;
      return;
    case "image": {
      const image = new Image();
      image.alt = value.altText;
      image.onload = () => URL.revokeObjectURL(image.src);
      image.src = URL.createObjectURL(new Blob([value.data.slice()], { type: value.mimeType }));
      return turn(turnIndex).append(image);
    }
    case "toolCalls":
      return value.toolCalls.forEach((call) => note(`calls ${toolName(call)}`));
    case "audio":
      return note(`${value.length} bytes of audio`);
    case "endSession":
      return note("end of the session");
    case "payload":
    case "citations":
    case "googleSearchSuggestions":
      return note(kind);
    case undefined:
      return;
    default:
      return kind satisfies never;
  }
}

function toolName({ toolIdentifier: { case: kind, value }, displayName }: ToolCall): string {
  if (kind === "tool") return value.slice(value.lastIndexOf("/") + 1);
  return kind === "toolsetTool" ? value.toolId : displayName;
}

/** Returns the paragraph of a turn, which grows while the turn goes on. */
function turn(index: number): HTMLElement {
  const last = log.lastElementChild;
  if (last instanceof HTMLParagraphElement && last.dataset["turn"] === String(index)) return last;
  const made = document.createElement("p");
  made.dataset["turn"] = String(index);
  log.append(made);
  return made;
}

function note(text: string): void {
  const made = document.createElement("small");
  made.textContent = text;
  log.append(made);
}

function find<T extends Element>(selector: string, type: new () => T): T {
  const found = document.querySelector(selector);
  if (!(found instanceof type)) throw new Error(`the page has no ${selector}`);
  return found;
}
