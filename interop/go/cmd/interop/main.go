// Interop reads and writes messages for scripts/interop.py:
//
//	interop check FOLDER   reads every test vector and reports the result, one JSON line per input
//	interop change TYPE    varint-delimited messages from stdin, changed, to stdout
package main

import (
	"bufio"
	"fmt"
	"os"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "interop:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 2 {
		return fmt.Errorf("expected check FOLDER or change TYPE, got %q", args)
	}
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	switch command, argument := args[0], args[1]; command {
	case "check":
		return check(argument, out)
	case "change":
		return change(argument, bufio.NewReader(os.Stdin), out)
	default:
		return fmt.Errorf("expected check or change, got %q", command)
	}
}
