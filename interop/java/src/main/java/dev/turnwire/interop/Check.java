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
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/** Reads every test vector and reports the result of each input. */
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

  /** A JSON text, or bytes in the wire format. */
  private record Input(String name, byte[] data, boolean binary) {
    static Input of(JsonElement element) {
      JsonObject input = element.getAsJsonObject();
      byte[] data =
          input.has("json")
              ? input.get("json").getAsString().getBytes(StandardCharsets.UTF_8)
              : Base64.getDecoder().decode(input.get("base64").getAsString());
      return new Input(input.get("name").getAsString(), data, false);
    }

    Message read(Message prototype) throws IOException {
      Message.Builder builder = prototype.newBuilderForType();
      if (binary) {
        return builder.mergeFrom(data).build();
      }
      // A new decoder refuses bytes that are not UTF-8; new String(data, UTF_8) makes them U+FFFD.
      String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(data)).toString();
      PARSER.merge(text, builder);
      return builder.build();
    }
  }

  void run() throws IOException {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "*.json")) {
      for (Path file : files) {
        JsonObject content = JsonParser.parseString(Files.readString(file)).getAsJsonObject();
        for (JsonElement vector : content.getAsJsonArray("vectors")) {
          check(vector.getAsJsonObject());
        }
      }
    }
  }

  private void check(JsonObject vector) throws IOException {
    String name = vector.get("name").getAsString();
    Message prototype = Types.prototype(vector.get("type").getAsString());
    List<Input> inputs = new ArrayList<>();
    Message expected = null;
    if (!vector.get("binary").isJsonNull()) {
      byte[] text = vector.get("json").getAsString().getBytes(StandardCharsets.UTF_8);
      byte[] binary = Base64.getDecoder().decode(vector.get("binary").getAsString());
      inputs.add(new Input(name + ".json", text, false));
      inputs.add(new Input(name + ".binary", binary, true));
      expected = inputs.get(1).read(prototype);
    }
    for (String member : List.of("accepted", "refused")) {
      if (vector.has(member)) {
        vector.getAsJsonArray(member).forEach(input -> inputs.add(Input.of(input)));
      }
    }
    for (Input input : inputs) {
      JsonObject report = tryInput(input, prototype, expected);
      report.addProperty("vector", name);
      out.println(report);
    }
  }

  /** Reads an input, compares it with the vector's bytes, and writes it again. */
  private static JsonObject tryInput(Input input, Message prototype, Message expected) {
    JsonObject report = new JsonObject();
    report.addProperty("input", input.name());
    report.addProperty("read", false);
    try {
      Message message = input.read(prototype);
      report.addProperty("read", true);
      report.addProperty("same", message.equals(expected));
      report.addProperty("binary", Base64.getEncoder().encodeToString(message.toByteArray()));
      report.addProperty("json", PRINTER.print(message));
    } catch (IOException | RuntimeException e) {
      report.addProperty("error", e.toString());
    }
    return report;
  }
}
