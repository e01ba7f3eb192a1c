import { stdin, stdout } from "node:process";
import { sizeDelimitedDecodeStream, sizeDelimitedEncode } from "@bufbuild/protobuf/wire";
import * as ces from "turnwire-schema/ces/v1";
import * as gda from "turnwire-schema/geminidataanalytics/v1";

/** Reads messages, signs each, and writes them; unknown fields are kept. */
export async function change(type: string): Promise<void> {
  switch (type) {
    case ces.RunSessionResponseSchema.typeName:
      for await (const response of sizeDelimitedDecodeStream(ces.RunSessionResponseSchema, stdin)) {
        for (const { outputType } of response.outputs) {
          if (outputType.case === "text") {
            outputType.value += " [typescript]";
          }
        }
        stdout.write(sizeDelimitedEncode(ces.RunSessionResponseSchema, response));
      }
      break;
    case gda.MessageSchema.typeName:
      for await (const message of sizeDelimitedDecodeStream(gda.MessageSchema, stdin)) {
        message.messageId += " [typescript]";
        stdout.write(sizeDelimitedEncode(gda.MessageSchema, message));
      }
      break;
    default:
      throw new Error(`expected a type that this program changes, got ${type}`);
  }
}
