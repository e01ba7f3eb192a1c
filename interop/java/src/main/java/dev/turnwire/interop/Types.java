package dev.turnwire.interop;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.Message;
import com.google.protobuf.TypeRegistry;

/** Finds message types by their full names. */
final class Types {
  /** The types that an Any may hold. */
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
    for (FileDescriptor file : MessageFiles.ALL) {
      builder.add(file.getMessageTypes());
    }
    return builder.build();
  }
}
