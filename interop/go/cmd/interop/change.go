package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"

	"google.golang.org/protobuf/encoding/protodelim"
	"google.golang.org/protobuf/proto"

	cesv1 "turnwire.dev/schema/ces/v1"
	gdav1 "turnwire.dev/schema/geminidataanalytics/v1"
)

// change reads messages, signs each, and writes them; unknown fields are kept.
func change(typeName string, in *bufio.Reader, out io.Writer) error {
	switch typeName {
	case "turnwire_schema.ces.v1.RunSessionResponse":
		return each(in, out, &cesv1.RunSessionResponse{}, func(response *cesv1.RunSessionResponse) {
			for _, output := range response.GetOutputs() {
				if text, ok := output.GetOutputType().(*cesv1.SessionOutput_Text); ok {
					text.Text += " [go]"
				}
			}
		})
	case "turnwire_schema.geminidataanalytics.v1.Message":
		return each(in, out, &gdav1.Message{}, func(message *gdav1.Message) {
			message.MessageId += " [go]"
		})
	default:
		return fmt.Errorf("expected a type that this program changes, got %q", typeName)
	}
}

func each[M proto.Message](in *bufio.Reader, out io.Writer, message M, sign func(M)) error {
	for {
		err := protodelim.UnmarshalFrom(in, message)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		sign(message)
		if _, err := protodelim.MarshalTo(out, message); err != nil {
			return err
		}
	}
}
