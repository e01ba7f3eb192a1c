package dev.turnwire.interop;

import com.google.protobuf.Message;
import com.google.protobuf.Parser;
import dev.turnwire.schema.ces.v1.RunSessionResponse;
import dev.turnwire.schema.ces.v1.SessionOutput;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.function.UnaryOperator;

/** Reads messages, signs each, and writes them; unknown fields are kept. */
final class Change {
  private static final String SIGNATURE = " [java]";

  private Change() {}

  static void run(String type, InputStream in, OutputStream out) throws IOException {
    switch (type) {
      case "turnwire_schema.ces.v1.RunSessionResponse" ->
          each(in, out, RunSessionResponse.parser(), Change::sign);
      case "turnwire_schema.geminidataanalytics.v1.Message" ->
          each(in, out, dev.turnwire.schema.geminidataanalytics.v1.Message.parser(), Change::sign);
      default ->
          throw new IllegalArgumentException("expected a type that this program changes, got " + type);
    }
  }

  private static RunSessionResponse sign(RunSessionResponse response) {
    RunSessionResponse.Builder signed = response.toBuilder();
    for (SessionOutput.Builder output : signed.getOutputsBuilderList()) {
      if (output.hasText()) {
        output.setText(output.getText() + SIGNATURE);
      }
    }
    return signed.build();
  }

  private static dev.turnwire.schema.geminidataanalytics.v1.Message sign(
      dev.turnwire.schema.geminidataanalytics.v1.Message message) {
    return message.toBuilder().setMessageId(message.getMessageId() + SIGNATURE).build();
  }

  private static <M extends Message> void each(
      InputStream in, OutputStream out, Parser<M> parser, UnaryOperator<M> sign)
      throws IOException {
    for (M message = parser.parseDelimitedFrom(in);
        message != null;
        message = parser.parseDelimitedFrom(in)) {
      sign.apply(message).writeDelimitedTo(out);
    }
  }
}
