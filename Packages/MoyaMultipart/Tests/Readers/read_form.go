// A server that parses multipart forms with Go's mime/multipart and reports the parts: see read_form.py.
package main

import (
	"encoding/json"
	"fmt"
	"hash/crc32"
	"io"
	"mime"
	"net"
	"net/http"
	"os"
)

type part struct {
	Name     *string `json:"name"`
	Filename *string `json:"filename"`
	Type     *string `json:"type"`
	Size     int     `json:"size"`
	CRC32    uint32  `json:"crc32"`
}

func read(request *http.Request) ([]part, error) {
	reader, err := request.MultipartReader()
	if err != nil {
		return nil, err
	}
	parts := []part{}
	for {
		next, err := reader.NextRawPart()
		if err == io.EOF {
			return parts, nil
		}
		if err != nil {
			return nil, err
		}
		data, err := io.ReadAll(next)
		if err != nil {
			return nil, err
		}
		_, parameters, err := mime.ParseMediaType(next.Header.Get("Content-Disposition"))
		if err != nil {
			return nil, err
		}
		found := part{Size: len(data), CRC32: crc32.ChecksumIEEE(data)}
		if value, ok := parameters["name"]; ok {
			found.Name = &value
		}
		if value, ok := parameters["filename"]; ok {
			found.Filename = &value
		}
		if value := next.Header.Get("Content-Type"); value != "" {
			found.Type = &value
		}
		parts = append(parts, found)
	}
}

func main() {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	fmt.Println(listener.Addr().(*net.TCPAddr).Port)
	os.Stdout.Close()
	http.Serve(listener, http.HandlerFunc(func(writer http.ResponseWriter, request *http.Request) {
		if request.Method == "GET" {
			json.NewEncoder(writer).Encode([]string{"go"})
			return
		}
		parts, err := read(request)
		if err != nil {
			http.Error(writer, err.Error(), 500)
			return
		}
		json.NewEncoder(writer).Encode(parts)
	}))
}
