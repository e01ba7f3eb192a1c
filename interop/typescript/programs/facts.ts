import { readFileSync } from "node:fs";
import { fromJson, type DescMessage, type JsonValue, type MessageShape } from "@bufbuild/protobuf";
import { RunSessionResponseSchema, type Chunk, type SessionOutput, type ToolCall } from "turnwire-schema/ces/v1";
import { MessageSchema, TextMessage_TextType } from "turnwire-schema/geminidataanalytics/v1";

interface Scenario {
  id: string;
  api: "ces" | "geminidataanalytics";
  framing: "array" | "ndjson" | "object";
  input: string;
}

/** The answer text and the names in it, found by a plain walk over the typed messages. */
export function facts(): void {
  for (const line of lines(readFileSync(0, "utf8"))) {
    const scenario = JSON.parse(line) as Scenario;
    const found = scenario.api === "ces" ? sessionFacts(scenario) : answerFacts(scenario);
    console.log(JSON.stringify({ id: scenario.id, ...found }));
  }
}

function sessionFacts(scenario: Scenario) {
  const outputs = read(RunSessionResponseSchema, scenario).flatMap((response) => response.outputs);
  const reply = outputs
    .map(({ outputType }) => (outputType.case === "text" ? outputType.value : ""))
    .join("");
  // A call for the client comes again in the diagnostics, under the same id.
  const tools = new Map(outputs.flatMap(toolCalls).map((call) => [call.id, toolName(call)]));
  return { reply, tools: [...tools.values()] };
}

function toolCalls({ outputType, diagnosticInfo }: SessionOutput): ToolCall[] {
  const forClient = outputType.case === "toolCalls" ? outputType.value.toolCalls : [];
  const chunks: Chunk[] = diagnosticInfo?.messages.flatMap((message) => message.chunks) ?? [];
  return [...forClient, ...chunks.flatMap(({ data }) => (data.case === "toolCall" ? [data.value] : []))];
}

function toolName({ toolIdentifier, displayName }: ToolCall): string {
  switch (toolIdentifier.case) {
    case "tool":
      return toolIdentifier.value.split("/").at(-1) ?? "";
    case "toolsetTool":
      return toolIdentifier.value.toolId;
    case undefined:
      return displayName;
    default:
      return toolIdentifier satisfies never;
  }
}

function answerFacts(scenario: Scenario) {
  let answer = "";
  const results: string[] = [];
  for (const { kind } of read(MessageSchema, scenario)) {
    if (kind.case !== "systemMessage") {
      continue;
    }
    const content = kind.value.kind;
    if (content.case === "text" && content.value.textType === TextMessage_TextType.FINAL_RESPONSE) {
      answer += content.value.parts.join("");
    } else if (content.case === "data" && content.value.kind.case === "result") {
      results.push(content.value.kind.value.name);
    }
  }
  return { answer, results };
}

function read<Type extends DescMessage>(type: Type, { framing, input }: Scenario): MessageShape<Type>[] {
  const values = framing === "ndjson" ? lines(input).map((line) => JSON.parse(line)) : [JSON.parse(input)].flat();
  return values.map((value: JsonValue) => fromJson(type, value));
}

function lines(text: string): string[] {
  return text.split("\n").filter((line) => line.trim() !== "");
}
