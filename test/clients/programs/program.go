// Drives the service by the client that openapi-generator makes of the contract; prints what it saw as JSON.
package main

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"os"
	"time"
	"unicode/utf16"

	"example.test/clients/research"
)

func connect(base string) *research.APIClient {
	configuration := research.NewConfiguration()
	configuration.Servers = research.ServerConfigurations{{URL: os.Getenv(base)}}
	configuration.AddDefaultHeader("Authorization", "Bearer "+os.Getenv("API_KEY"))
	return research.NewAPIClient(configuration)
}

func must[Answer any](answer Answer, _ any, err error) Answer {
	if err != nil {
		panic(err)
	}
	return answer
}

func main() {
	ctx := context.Background()
	client, stranger := connect("BASE_URL"), connect("UNKNOWN_URL")

	body := research.NewCreateThreadBody("How do hooks end?")
	body.SetBudget("L")
	create := client.ThreadsAPI.CreateThread(ctx).CreateThreadBody(*body).IdempotencyKey(rand.Text())
	thread, again := must(create.Execute()), must(create.Execute())
	job := must(client.JobsAPI.GetJob(ctx, thread.Id, thread.Job.Id).Execute())
	for job.Status != research.COMPLETED && job.Status != research.FAILED && job.Status != research.CANCELLED {
		time.Sleep(50 * time.Millisecond)
		job = must(client.JobsAPI.GetJob(ctx, thread.Id, thread.Job.Id).Execute())
	}
	found := must(client.ClaimsAPI.ListClaims(ctx).JobId(job.Id).Execute())
	evidence := must(client.ClaimsAPI.GetClaim(ctx, found.Claims[0].Id).Execute()).Evidence
	hasEvidence := len(evidence) > 0
	for _, one := range evidence {
		hasEvidence = hasEvidence && len(utf16.Encode([]rune(one.Quote))) == int(one.EndIndex-one.StartIndex)
	}
	pursue := research.NewPursueJobBody("And hooks of plugins?")
	pursued := must(client.JobsAPI.PursueJob(ctx, thread.Id, job.Id).PursueJobBody(*pursue).Execute())
	first := must(client.JobsAPI.ListJobs(ctx).ThreadId(thread.Id).Limit(1).Execute())
	second := must(client.JobsAPI.ListJobs(ctx).ThreadId(thread.Id).Limit(1).Cursor(*first.NextCursor.Get()).Execute())
	cancelled := must(client.JobsAPI.CancelJob(ctx, thread.Id, pursued.Id).Execute())
	message := must(client.ThreadsAPI.ListMessages(ctx, thread.Id).Execute()).Messages[0]
	detail := must(client.JobsAPI.GetJobDetail(ctx, job.Id).IncludeSteps(true).Execute())
	event := must(client.JobsAPI.ListJobEvents(ctx, thread.Id, job.Id).Execute()).Events[0]
	unknownStep := must(stranger.JobsAPI.GetJobDetail(ctx, job.Id).IncludeSteps(true).Execute()).Steps[0]
	unknownClaim := must(stranger.ClaimsAPI.GetClaim(ctx, found.Claims[0].Id).Execute())
	deleted := must(client.ThreadsAPI.DeleteThread(ctx, thread.Id).Execute()).Deleted
	afterwards := ""
	if _, _, err := client.ThreadsAPI.GetThread(ctx, thread.Id).Execute(); err != nil {
		problem := struct{ Code string }{}
		if err := json.Unmarshal(err.(*research.GenericOpenAPIError).Body(), &problem); err != nil {
			panic(err)
		}
		afterwards = problem.Code
	}

	seen, err := json.Marshal(map[string]any{
		"isRepeated":       again.Id == thread.Id && again.Job.Id == thread.Job.Id,
		"status":           job.Status,
		"hasClaims":        found.Total > 0 && int(found.Total) == len(job.SynthesisClaimsJson),
		"hasEvidence":      hasEvidence,
		"parent":           pursued.ParentJobId == job.Id,
		"pages":            first.Jobs[0].Id == pursued.Id && second.Jobs[0].Id == job.Id,
		"isCancelledFinal": cancelled.Status == research.COMPLETED || cancelled.Status == research.CANCELLED,
		"messageCost":      message.CostCents.Get(),
		"parentOfFirst":    detail.ParentJobId.Get(),
		"isTimeRead":       !detail.CompletedAt.Get().Before(detail.CreatedAt),
		"firstFact":        event.Type,
		"unknown":          []string{unknownStep.Provider, unknownStep.Status, unknownClaim.ConfidenceLevel, unknownClaim.Evidence[0].Relation},
		"deleted":          deleted,
		"afterwards":       afterwards,
	})
	if err != nil {
		panic(err)
	}
	fmt.Println(string(seen))
}
