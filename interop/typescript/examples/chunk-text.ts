import { fromJsonString } from "@bufbuild/protobuf";
import { MessageSchema, type Chunk } from "turnwire-schema/ces/v1";

/** One line per chunk; the compiler says which case is missing when the schema gets a new one. */
export function chunkText({ data }: Chunk): string {
  switch (data.case) {
    case "text":
    case "transcript":
      return data.value;
    case "toolCall":
      return `calls ${data.value.displayName}`;
    case "toolResponse":
      return `${data.value.displayName} answers`;
    case "agentTransfer":
      return `goes to ${data.value.displayName}`;
    case "blob":
    case "image":
      return `${data.value.data.length} bytes of ${data.value.mimeType}`;
    case "payload":
    case "updatedVariables":
    case "defaultVariables":
      return JSON.stringify(data.value);
    case undefined:
      return "";
    default:
      return data satisfies never;
  }
}

const message = fromJsonString(MessageSchema, '{"role": "user", "chunks": [{"text": "Two tickets, please."}]}');
console.log(message.chunks.map(chunkText).join("\n"));
