//go:build tools

// Package tools names what `make k8s-api` builds, so that go.sum covers it.
package tools

import (
	_ "go.etcd.io/etcd/server/v3"
	_ "k8s.io/kubernetes/cmd/kube-apiserver"
)
