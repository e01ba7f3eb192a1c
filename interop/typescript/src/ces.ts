// The messages of the CES API.
export * from "./gen/turnwire_schema/ces/v1/agent_transfer_pb.js";
export * from "./gen/turnwire_schema/ces/v1/bidi_session_pb.js";
export * from "./gen/turnwire_schema/ces/v1/conversation_pb.js";
export * from "./gen/turnwire_schema/ces/v1/media_pb.js";
export * from "./gen/turnwire_schema/ces/v1/message_pb.js";
export * from "./gen/turnwire_schema/ces/v1/session_pb.js";
export * from "./gen/turnwire_schema/ces/v1/session_config_pb.js";
export * from "./gen/turnwire_schema/ces/v1/session_input_pb.js";
export * from "./gen/turnwire_schema/ces/v1/session_output_pb.js";
export * from "./gen/turnwire_schema/ces/v1/span_pb.js";
export * from "./gen/turnwire_schema/ces/v1/tool_pb.js";
