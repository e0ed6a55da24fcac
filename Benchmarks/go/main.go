// A client on Go's net/http, with the options of the other clients:
//
//	bench-go URL --requests N --in-flight N [--warm-up N] [--ca FILE]
package main

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"sort"
	"strconv"
	"sync"
	"syscall"
	"time"
)

type options struct {
	url                        string
	requests, inFlight, warmUp int
	ca                         string
}

func die(what ...any) {
	fmt.Fprintln(os.Stderr, append([]any{"bench-go:"}, what...)...)
	os.Exit(1)
}

func readOptions(arguments []string) options {
	if len(arguments) < 1 {
		die("usage: bench-go URL [--requests N] [--in-flight N] ...")
	}
	result := options{url: arguments[0], requests: 10000, inFlight: 64, warmUp: -1}
	for index := 1; index+1 < len(arguments); index += 2 {
		value := arguments[index+1]
		number, _ := strconv.Atoi(value)
		switch arguments[index] {
		case "--requests":
			result.requests = number
		case "--in-flight":
			result.inFlight = number
		case "--warm-up":
			result.warmUp = number
		case "--ca":
			result.ca = value
		default:
			die("unknown option", arguments[index])
		}
	}
	if result.warmUp < 0 {
		result.warmUp = result.inFlight * 2
	}
	return result
}

func newClient(options options) *http.Client {
	transport := &http.Transport{
		MaxIdleConns: 0, MaxIdleConnsPerHost: options.inFlight + 16, ForceAttemptHTTP2: true,
	}
	if options.ca != "" {
		pem, err := os.ReadFile(options.ca)
		if err != nil {
			die(err)
		}
		roots := x509.NewCertPool()
		roots.AppendCertsFromPEM(pem)
		transport.TLSClientConfig = &tls.Config{RootCAs: roots}
	}
	return &http.Client{Transport: transport}
}

func exchange(client *http.Client, url string) error {
	request, err := http.NewRequest("GET", url, nil)
	if err != nil {
		return err
	}
	request.Header.Set("User-Agent", "bench")
	response, err := client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if _, err := io.ReadAll(response.Body); err != nil {
		return err
	}
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("status %d", response.StatusCode)
	}
	return nil
}

// run sends count requests, always the same number in flight.
func run(client *http.Client, options options, count int) (latencies []float64, failed int) {
	workers := options.inFlight
	if workers > count {
		workers = count
	}
	var lock sync.Mutex
	var group sync.WaitGroup
	for worker := 0; worker < workers; worker++ {
		share := count / workers
		if worker < count%workers {
			share++
		}
		group.Add(1)
		go func() {
			defer group.Done()
			own := make([]float64, 0, share)
			failures := 0
			for ; share > 0; share-- {
				start := time.Now()
				if err := exchange(client, options.url); err != nil {
					if failures == 0 {
						fmt.Fprintln(os.Stderr, "bench-go:", err)
					}
					failures++
				}
				own = append(own, time.Since(start).Seconds())
			}
			lock.Lock()
			defer lock.Unlock()
			latencies = append(latencies, own...)
			failed += failures
		}()
	}
	group.Wait()
	return
}

func usage() (cpu float64, peak int64) {
	var usage syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &usage)
	seconds := func(time syscall.Timeval) float64 { return float64(time.Sec) + float64(time.Usec)/1e6 }
	return seconds(usage.Utime) + seconds(usage.Stime), usage.Maxrss
}

func main() {
	options := readOptions(os.Args[1:])
	client := newClient(options)
	_, idle := usage()
	run(client, options, options.warmUp)
	before, _ := usage()
	start := time.Now()
	latencies, failed := run(client, options, options.requests)
	wall := time.Since(start).Seconds()
	after, peak := usage()
	sort.Float64s(latencies)
	line, err := json.Marshal(map[string]any{
		"requests": options.requests, "failed": failed, "wall": wall, "cpu": after - before,
		"p50": latencies[len(latencies)/2], "p99": latencies[len(latencies)*99/100],
		"peak_kib": peak, "idle_kib": idle,
	})
	if err != nil {
		die(err)
	}
	fmt.Println(string(line))
}
