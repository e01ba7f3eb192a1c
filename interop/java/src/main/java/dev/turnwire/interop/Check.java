package dev.turnwire.interop;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.protobuf.Message;
import com.google.protobuf.util.JsonFormat;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/** Reads every golden vector and reports what became of it. */
final class Check {
  private static final JsonFormat.Parser PARSER =
      JsonFormat.parser().usingTypeRegistry(Types.REGISTRY);
  private static final JsonFormat.Printer PRINTER =
      JsonFormat.printer().usingTypeRegistry(Types.REGISTRY).omittingInsignificantWhitespace();

  private final Path folder;
  private final PrintStream out;

  Check(Path folder, PrintStream out) {
    this.folder = folder;
    this.out = out;
  }

  void run() throws IOException {
    JsonObject index =
        JsonParser.parseString(Files.readString(folder.resolve("index.json"))).getAsJsonObject();
    for (JsonElement element : index.getAsJsonArray("vectors")) {
      JsonObject vector = element.getAsJsonObject();
      Message prototype = Types.prototype(vector.get("type").getAsString());
      JsonElement binary = vector.get("binary");
      Message expected = binary.isJsonNull() ? null : read(prototype, binary.getAsString());
      for (String input : inputs(vector)) {
        JsonObject report = tryInput(input, prototype, expected);
        report.add("vector", vector.get("name"));
        out.println(report);
      }
    }
  }

  private static List<String> inputs(JsonObject vector) {
    List<String> inputs = new ArrayList<>();
    for (String member : List.of("json", "binary")) {
      if (!vector.get(member).isJsonNull()) {
        inputs.add(vector.get(member).getAsString());
      }
    }
    for (String member : List.of("variants", "invalid")) {
      vector.getAsJsonArray(member).forEach(path -> inputs.add(path.getAsString()));
    }
    return inputs;
  }

  /** Was it read? Is it the message that the vector's bytes are? Written again, what is it? */
  private JsonObject tryInput(String input, Message prototype, Message expected) {
    JsonObject report = new JsonObject();
    report.addProperty("input", input);
    report.addProperty("read", false);
    try {
      Message message = read(prototype, input);
      report.addProperty("read", true);
      report.addProperty("same", message.equals(expected));
      report.addProperty("binary", Base64.getEncoder().encodeToString(message.toByteArray()));
      report.addProperty("json", PRINTER.print(message));
    } catch (IOException | RuntimeException e) {
      report.addProperty("error", e.toString());
    }
    return report;
  }

  private Message read(Message prototype, String input) throws IOException {
    byte[] data = Files.readAllBytes(folder.resolve(input));
    Message.Builder builder = prototype.newBuilderForType();
    if (input.endsWith(".binpb")) {
      return builder.mergeFrom(data).build();
    }
    // A new decoder refuses bytes that are no UTF-8; new String(data, UTF_8) makes them U+FFFD.
    String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(data)).toString();
    PARSER.merge(text, builder);
    return builder.build();
  }
}
