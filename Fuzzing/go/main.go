// A reference client: Go's net/http with a new connection for each request.
//
//	fuzz-go CA-FILE
//
// Reads lines "METHOD WAY URL". Prints a line of JSON for each: status, body in hexadecimal and
// Content-Encoding, or the error.
package main

import (
	"bufio"
	"crypto/tls"
	"crypto/x509"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"strings"
	"time"
)

const limit = 4 << 20

type result struct {
	Status int      `json:"status,omitempty"`
	Body   *string  `json:"body,omitempty"`
	Coding []string `json:"coding,omitempty"`
	Error  string   `json:"error,omitempty"`
}

func answer(pool *x509.CertPool, method, url string) result {
	transport := &http.Transport{
		TLSClientConfig:    &tls.Config{RootCAs: pool},
		ForceAttemptHTTP2:  true,
		DisableCompression: true,
	}
	defer transport.CloseIdleConnections()
	client := http.Client{
		Transport:     transport,
		Timeout:       2 * time.Second,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	var content io.Reader
	if method == "POST" {
		content = strings.NewReader("question")
	}
	request, err := http.NewRequest(method, url, content)
	if err != nil {
		return result{Error: err.Error()}
	}
	response, err := client.Do(request)
	if err != nil {
		return result{Error: err.Error()}
	}
	defer response.Body.Close()
	// Go keeps the body of a 101 response open for another protocol: reading would never end.
	if response.StatusCode == http.StatusSwitchingProtocols {
		return result{Error: "101"}
	}
	body, err := io.ReadAll(io.LimitReader(response.Body, limit+1))
	if err != nil {
		return result{Error: err.Error()}
	}
	if len(body) > limit {
		return result{Error: "too long"}
	}
	text := hex.EncodeToString(body)
	return result{Status: response.StatusCode, Body: &text, Coding: response.Header.Values("Content-Encoding")}
}

func main() {
	log.SetOutput(io.Discard)
	certificates, err := os.ReadFile(os.Args[1])
	if err != nil {
		os.Exit(2)
	}
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(certificates)
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		words := strings.Fields(lines.Text())
		line, _ := json.Marshal(answer(pool, words[0], words[2]))
		fmt.Println(string(line))
	}
}
