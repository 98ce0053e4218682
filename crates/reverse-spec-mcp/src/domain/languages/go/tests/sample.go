// Package store keeps things.
package store

import (
	"errors"
	fm "fmt"
	_ "embed"
)

// Limit is the most.
const Limit = 10

const (
	// First is the first.
	First Level = iota
	Second
	third
)

var ErrNone, errOther error = errors.New("none"), nil

// Level says how much.
type Level int

type (
	// Store keeps.
	Store[K comparable, V any] struct {
		// Name of it.
		Name string `json:"name"`
		a, B int
		*Base
		sync.Mutex
	}
	Reader interface {
		io.Closer
		// Read reads.
		Read(p []byte) (n int, err error)
	}
	Short = map[string][]byte
)

// New makes one.
func New[K comparable, V any](name string, size, cap int, rest ...V) (*Store[K, V], error) {
	if name == "" {
		return nil, errors.New("no name")
	}
	return &Store[K, V]{Name: name}, nil
}

// Get gets.
func (s *Store[K, V]) Get(key K) (V, bool) { panic("not yet") }
func (s Store[K, V]) private() {}
func (e Elsewhere) Public() {}
func (l lower) Public() {}
func helper() {}
