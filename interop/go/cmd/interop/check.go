package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"

	// An Any may hold one of these.
	_ "google.golang.org/protobuf/types/known/anypb"
	_ "google.golang.org/protobuf/types/known/durationpb"
	_ "google.golang.org/protobuf/types/known/emptypb"
	_ "google.golang.org/protobuf/types/known/fieldmaskpb"
	_ "google.golang.org/protobuf/types/known/structpb"
	_ "google.golang.org/protobuf/types/known/timestamppb"
	_ "google.golang.org/protobuf/types/known/wrapperspb"
)

type vector struct {
	Name     string
	Type     protoreflect.FullName
	JSON     *string
	Binary   *string
	Variants []string
	Invalid  []string
}

// A report says what became of one input.
type report struct {
	Vector string `json:"vector"`
	Input  string `json:"input"`
	// Read says whether it was read.
	Read bool `json:"read"`
	// Same says whether it is, by this runtime, the message that the vector's bytes are.
	Same bool `json:"same"`
	// JSON and Binary are the message, written again.
	JSON   string `json:"json,omitempty"`
	Binary []byte `json:"binary"`
	// Error says why it was not read, or not written.
	Error string `json:"error,omitempty"`
}

func check(folder string, out io.Writer) error {
	data, err := os.ReadFile(filepath.Join(folder, "index.json"))
	if err != nil {
		return err
	}
	var index struct{ Vectors []vector }
	if err := json.Unmarshal(data, &index); err != nil {
		return err
	}
	reports := json.NewEncoder(out)
	for _, v := range index.Vectors {
		messageType, err := protoregistry.GlobalTypes.FindMessageByName(v.Type)
		if err != nil {
			return fmt.Errorf("%s: %w", v.Name, err)
		}
		var expected proto.Message
		inputs := slices.Concat(v.Variants, v.Invalid)
		if v.JSON != nil {
			inputs = append(inputs, *v.JSON)
		}
		if v.Binary != nil {
			inputs = append(inputs, *v.Binary)
			if expected, err = read(messageType, folder, *v.Binary); err != nil {
				return fmt.Errorf("%s: %w", v.Name, err)
			}
		}
		for _, input := range inputs {
			r := report{Vector: v.Name, Input: input}
			if err := r.try(messageType, folder, expected); err != nil {
				r.Error = err.Error()
			}
			if err := reports.Encode(r); err != nil {
				return err
			}
		}
	}
	return nil
}

func (r *report) try(messageType protoreflect.MessageType, folder string, expected proto.Message) error {
	message, err := read(messageType, folder, r.Input)
	if err != nil {
		return err
	}
	r.Read = true
	r.Same = expected != nil && proto.Equal(message, expected)
	if r.Binary, err = proto.Marshal(message); err != nil {
		return err
	}
	text, err := protojson.Marshal(message)
	r.JSON = string(text)
	return err
}

func read(messageType protoreflect.MessageType, folder, input string) (proto.Message, error) {
	data, err := os.ReadFile(filepath.Join(folder, input))
	if err != nil {
		return nil, err
	}
	message := messageType.New().Interface()
	if strings.HasSuffix(input, ".binpb") {
		return message, proto.Unmarshal(data, message)
	}
	return message, protojson.Unmarshal(data, message)
}
