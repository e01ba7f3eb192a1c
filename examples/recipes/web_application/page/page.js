// Sends what the user writes, and shows the parts of the answer as they arrive.

const session = crypto.randomUUID();
const [talk, status, form, input] = ["talk", "status", "form", "text"].map((id) =>
  document.getElementById(id),
);
const FAILED = "The answer did not arrive whole. Please send the message again.";
const ENDS = {
  ended: "The conversation has ended.",
  escalated: "A member of our staff takes over. Please stay here.",
};

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const text = input.value;
  entry("You").append(paragraph(text));
  form.inert = true;
  status.textContent = "…";
  let end = "";
  try {
    const reply = entry("Ferry");
    for await (const part of answer(text)) {
      end = ENDS[part.kind] ?? end;
      show(reply, part);
    }
    input.value = "";
    status.textContent = end;
  } catch {
    status.textContent = end || FAILED;
  }
  form.inert = false;
  form.hidden = Boolean(end);
  input.focus();
});

/** Yields the parts of the answer to a message: the response has one per line. */
async function* answer(text) {
  const response = await fetch(`/sessions/${session}/messages`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ text }),
  });
  if (!response.ok) throw new Error(response.statusText);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    const lines = (rest + read.value).split("\n");
    rest = lines.pop();
    yield* lines.map((line) => JSON.parse(line));
  }
}

function show(reply, { kind, value, alt }) {
  switch (kind) {
    case "text":
      if (reply.lastChild.tagName !== "P") reply.append(paragraph(""));
      reply.lastChild.append(value);
      break;
    case "progress":
      status.textContent = value;
      break;
    case "image":
      reply.append(Object.assign(new Image(), { src: value, alt }));
      break;
    case "audio":
      reply.append(Object.assign(new Audio(value), { controls: true, autoplay: true }));
      break;
    case "failed":
      throw new Error("the answer is not whole");
  }
  reply.scrollIntoView({ block: "end" });
}

function entry(speaker) {
  const heading = Object.assign(document.createElement("h2"), { textContent: speaker });
  const made = document.createElement("section");
  made.append(heading);
  talk.append(made);
  return made;
}

function paragraph(text) {
  return Object.assign(document.createElement("p"), { textContent: text });
}
