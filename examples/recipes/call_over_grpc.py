"""Calls both APIs over gRPC without generated service stubs.

    python examples/recipes/call_over_grpc.py

It needs grpcio and, for the server in this program, Google's clients: their classes answer, so that
the bytes on the wire are those of the real services.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import grpc
from google.cloud import ces_v1, geminidataanalytics_v1

from turnwire import ces
from turnwire import geminidataanalytics as gda

RUN = "/google.cloud.ces.v1.SessionService/RunSession"
STREAM = "/google.cloud.ces.v1.SessionService/StreamRunSession"
CHAT = "/google.cloud.geminidataanalytics.v1.DataChatService/Chat"


def run_session(channel: grpc.Channel, text: str) -> ces.Session:
    """Makes a unary call."""
    call = channel.unary_unary(
        RUN,
        request_serializer=ces.RunSessionRequest.SerializeToString,
        response_deserializer=ces.RunSessionResponse.FromString,
    )
    request = ces.RunSessionRequest(inputs=[ces.SessionInput(text=text)])
    return ces.Session.collect(call(request))


def stream_session(channel: grpc.Channel, text: str) -> Iterator[str]:
    """Yields the pieces of a reply as they arrive."""
    call = channel.unary_stream(
        STREAM,
        request_serializer=ces.RunSessionRequest.SerializeToString,
        response_deserializer=ces.RunSessionResponse.FromString,
    )
    for response in call(ces.RunSessionRequest(inputs=[ces.SessionInput(text=text)])):
        if piece := ces.text_of(response):
            yield piece


def chat(channel: grpc.Channel, question: str) -> gda.Answer:
    """Asks the other API, whose messages are an answer."""
    call = channel.unary_stream(
        CHAT,
        request_serializer=gda.ChatRequest.SerializeToString,
        response_deserializer=gda.Message.FromString,
    )
    request = gda.ChatRequest(messages=[gda.Message(user_message=gda.UserMessage(text=question))])
    return gda.Answer.collect(call(request))


def echo(request: Any, context: object) -> Any:
    """Answers with the question in capitals; this function and the next two are the server."""
    text = request.inputs[0].text.upper()
    return ces_v1.RunSessionResponse(outputs=[{"text": text, "turn_completed": True}])


def echo_words(request: Any, context: object) -> Iterator[Any]:
    """Answers with the words of the question, one by one."""
    for word in request.inputs[0].text.split():
        yield ces_v1.RunSessionResponse(outputs=[{"text": f"{word} "}])


def answer(request: Any, context: object) -> Iterator[Any]:
    """Answers with the question as the final response."""
    text = {"parts": [request.messages[0].user_message.text, "!"], "text_type": "FINAL_RESPONSE"}
    yield geminidataanalytics_v1.Message(system_message={"text": text})


@contextmanager
def server() -> Iterator[grpc.Channel]:
    """Serves Google's classes on loopback, and yields a channel to them."""
    classes = (
        (RUN, grpc.unary_unary_rpc_method_handler, echo, ces_v1.RunSessionRequest),
        (STREAM, grpc.unary_stream_rpc_method_handler, echo_words, ces_v1.RunSessionRequest),
        (CHAT, grpc.unary_stream_rpc_method_handler, answer, geminidataanalytics_v1.ChatRequest),
    )
    served = grpc.server(ThreadPoolExecutor(2))
    for path, handler, function, request_class in classes:
        _, service, method = path.split("/")
        handled = handler(function, request_class.deserialize, lambda reply: serialized(reply))
        handlers = grpc.method_handlers_generic_handler(service, {method: handled})
        served.add_generic_rpc_handlers((handlers,))
    port = served.add_insecure_port("localhost:0")
    served.start()
    with grpc.insecure_channel(f"localhost:{port}") as channel:
        yield channel
    served.stop(grace=1).wait()


def serialized(reply: Any) -> bytes:
    """Returns the wire format of a message of Google's client, a proto-plus class."""
    wire: bytes = type(reply).serialize(reply)
    return wire


def main() -> int:
    """Makes the three calls."""
    with server() as channel:
        replies = [
            run_session(channel, "ahoy").turns[0].reply,
            "".join(stream_session(channel, "two boats")),
            chat(channel, "Peas").text,
        ]
    print(*replies, sep="\n")
    return 0 if replies == ["AHOY", "two boats ", "Peas!"] else 1


if __name__ == "__main__":
    sys.exit(main())
