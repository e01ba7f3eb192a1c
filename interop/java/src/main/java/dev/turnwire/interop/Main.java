package dev.turnwire.interop;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * Reads and writes messages for scripts/interop.py.
 *
 * <pre>
 * check FOLDER   reads every test vector and reports the result, one JSON line per input
 * change TYPE    varint-delimited messages from stdin, changed, to stdout
 * </pre>
 */
public final class Main {
  private Main() {}

  public static void main(String[] args) throws IOException {
    if (args.length != 2) {
      throw new IllegalArgumentException("expected check FOLDER or change TYPE");
    }
    try (PrintStream out =
        new PrintStream(new BufferedOutputStream(System.out), false, StandardCharsets.UTF_8)) {
      switch (args[0]) {
        case "check" -> new Check(Path.of(args[1]), out).run();
        case "change" -> Change.run(args[1], System.in, out);
        default -> throw new IllegalArgumentException("expected check or change, got " + args[0]);
      }
    }
  }
}
