package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
)

// A vector is one message and the texts of it; tests/vectors/README.md describes the files.
type vector struct {
	Name     string
	Type     protoreflect.FullName
	JSON     *string
	Binary   []byte
	Accepted []input
	Refused  []input
}

// An input is a JSON text, or bytes in the wire format.
type input struct {
	Name   string
	JSON   *string
	Base64 []byte
	binary bool
}

func (i input) data() []byte {
	if i.JSON != nil {
		return []byte(*i.JSON)
	}
	return i.Base64
}

func (v vector) inputs() []input {
	inputs := slices.Concat(v.Accepted, v.Refused)
	if v.JSON != nil {
		inputs = append(inputs,
			input{Name: v.Name + ".json", JSON: v.JSON},
			input{Name: v.Name + ".binary", Base64: v.Binary, binary: true})
	}
	return inputs
}

// A report is the result of one input.
type report struct {
	Vector string `json:"vector"`
	Input  string `json:"input"`
	// Read says whether it was read.
	Read bool `json:"read"`
	// Same says whether it equals, in this runtime, the message in the vector's bytes.
	Same bool `json:"same"`
	// JSON and Binary are the message, written again.
	JSON   string `json:"json,omitempty"`
	Binary []byte `json:"binary"`
	// Error says why it was not read, or not written.
	Error string `json:"error,omitempty"`
}

// check reads every test vector in a folder and reports the result of each input.
func check(folder string, out io.Writer) error {
	vectors, err := readVectors(folder)
	if err != nil {
		return err
	}
	reports := json.NewEncoder(out)
	for _, v := range vectors {
		messageType, err := protoregistry.GlobalTypes.FindMessageByName(v.Type)
		if err != nil {
			return fmt.Errorf("%s: %w", v.Name, err)
		}
		var expected proto.Message
		if v.JSON != nil {
			expected = messageType.New().Interface()
			if err := proto.Unmarshal(v.Binary, expected); err != nil {
				return fmt.Errorf("%s: %w", v.Name, err)
			}
		}
		for _, i := range v.inputs() {
			r := report{Vector: v.Name, Input: i.Name}
			if err := r.try(messageType.New().Interface(), i, expected); err != nil {
				r.Error = err.Error()
			}
			if err := reports.Encode(r); err != nil {
				return err
			}
		}
	}
	return nil
}

func readVectors(folder string) ([]vector, error) {
	paths, err := filepath.Glob(filepath.Join(folder, "*.json"))
	if err != nil {
		return nil, err
	}
	var vectors []vector
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		var file struct{ Vectors []vector }
		if err := json.Unmarshal(data, &file); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		vectors = append(vectors, file.Vectors...)
	}
	return vectors, nil
}

func (r *report) try(message proto.Message, i input, expected proto.Message) error {
	err := read(message, i)
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

func read(message proto.Message, i input) error {
	if i.binary {
		return proto.Unmarshal(i.data(), message)
	}
	return protojson.Unmarshal(i.data(), message)
}
