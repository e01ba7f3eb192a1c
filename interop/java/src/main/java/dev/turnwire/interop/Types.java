package dev.turnwire.interop;

import com.google.protobuf.AnyProto;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.DurationProto;
import com.google.protobuf.EmptyProto;
import com.google.protobuf.FieldMaskProto;
import com.google.protobuf.Message;
import com.google.protobuf.StructProto;
import com.google.protobuf.TimestampProto;
import com.google.protobuf.TypeRegistry;
import com.google.protobuf.WrappersProto;
import dev.turnwire.schema.ces.v1.BidiSessionProto;
import dev.turnwire.schema.ces.v1.ConversationProto;
import dev.turnwire.schema.ces.v1.SessionProto;
import dev.turnwire.schema.geminidataanalytics.v1.ChatProto;
import dev.turnwire.schema.geminidataanalytics.v1.StorageProto;
import java.util.List;

/** The message types of both APIs, by their full names. */
final class Types {
  /** With what these import, these files have all messages. */
  private static final List<FileDescriptor> FILES =
      List.of(
          BidiSessionProto.getDescriptor(),
          ConversationProto.getDescriptor(),
          SessionProto.getDescriptor(),
          ChatProto.getDescriptor(),
          StorageProto.getDescriptor(),
          AnyProto.getDescriptor(),
          DurationProto.getDescriptor(),
          EmptyProto.getDescriptor(),
          FieldMaskProto.getDescriptor(),
          StructProto.getDescriptor(),
          TimestampProto.getDescriptor(),
          WrappersProto.getDescriptor());

  /** What JsonFormat needs to know for an Any. */
  static final TypeRegistry REGISTRY = registry();

  private Types() {}

  /** The generated class's default instance, which makes builders. */
  static Message prototype(String fullName) {
    Descriptor type = REGISTRY.find(fullName);
    if (type == null) {
      throw new IllegalArgumentException("no message type " + fullName);
    }
    FileDescriptor file = type.getFile();
    String nested = fullName.substring(file.getPackage().length() + 1).replace('.', '$');
    try {
      return (Message)
          Class.forName(file.getOptions().getJavaPackage() + "." + nested)
              .getMethod("getDefaultInstance")
              .invoke(null);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("no generated class of " + fullName, e);
    }
  }

  private static TypeRegistry registry() {
    TypeRegistry.Builder builder = TypeRegistry.newBuilder();
    for (FileDescriptor file : FILES) {
      builder.add(file.getMessageTypes());
    }
    return builder.build();
  }
}
