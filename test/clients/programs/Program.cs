using System;
using System.Collections.Generic;
using System.Linq;
using System.Net.Http;
using System.Net.Http.Headers;
using System.Threading.Tasks;
using Newtonsoft.Json;
using Newtonsoft.Json.Linq;
using Research;

/// <summary>Drives the service by the client that NSwag makes of the contract; prints what it saw as JSON.</summary>
public static class Program
{
    static ResearchClient Connect(string name)
    {
        var http = new HttpClient();
        http.DefaultRequestHeaders.Authorization = new AuthenticationHeaderValue("Bearer", Environment.GetEnvironmentVariable("API_KEY"));
        return new ResearchClient(http) { BaseUrl = Environment.GetEnvironmentVariable(name) };
    }

    static bool IsFinal(JobStatus status)
    {
        return status == JobStatus.Completed || status == JobStatus.Failed || status == JobStatus.Cancelled;
    }

    static async Task<string> Run()
    {
        ResearchClient client = Connect("BASE_URL"), stranger = Connect("UNKNOWN_URL");
        var body = new CreateThreadBody { Message = "How do hooks end?", Budget = CreateThreadBodyBudget.L };
        var key = Guid.NewGuid().ToString();
        var thread = await client.CreateThreadAsync(body, idempotency_Key: key);
        var again = await client.CreateThreadAsync(body, idempotency_Key: key);
        var job = await client.GetJobAsync(thread.Id, thread.Job.Id);
        while (!IsFinal(job.Status))
        {
            await Task.Delay(50);
            job = await client.GetJobAsync(thread.Id, thread.Job.Id);
        }
        var found = await client.ListClaimsAsync(jobId: job.Id);
        var claimId = found.Claims.First().Id;
        var evidence = (await client.GetClaimAsync(claimId)).Evidence;
        var pursued = await client.PursueJobAsync(thread.Id, job.Id, new PursueJobBody { Topic = "And hooks of plugins?" });
        var first = await client.ListJobsAsync(threadId: thread.Id, limit: 1);
        var second = await client.ListJobsAsync(threadId: thread.Id, limit: 1, cursor: first.NextCursor);
        var cancelled = await client.CancelJobAsync(thread.Id, pursued.Id);
        var message = (await client.ListMessagesAsync(thread.Id)).Messages.First();
        var detail = await client.GetJobDetailAsync(job.Id, include_steps: true);
        var events = (await client.ListJobEventsAsync(thread.Id, job.Id)).Events;
        var unknownStep = (await stranger.GetJobDetailAsync(job.Id, include_steps: true)).Steps.First();
        var unknownClaim = await stranger.GetClaimAsync(claimId);
        var deleted = (await client.DeleteThreadAsync(thread.Id)).Deleted;
        string afterwards = null;
        try
        {
            await client.GetThreadAsync(thread.Id);
        }
        catch (ApiException<Problem> error)
        {
            afterwards = error.Result.Code;
        }
        return JsonConvert.SerializeObject(new Dictionary<string, object>
        {
            { "isRepeated", again.Id == thread.Id && again.Job.Id == thread.Job.Id },
            { "status", job.Status.ToString().ToLowerInvariant() },
            { "hasClaims", found.Total > 0 && found.Total == job.SynthesisClaimsJson.Count },
            { "hasEvidence", evidence.Count > 0 && evidence.All(one => one.Quote.Length == one.EndIndex - one.StartIndex) },
            { "parent", pursued.ParentJobId == job.Id },
            { "pages", first.Jobs.Concat(second.Jobs).Select(one => one.Id).SequenceEqual(new[] { pursued.Id, job.Id }) },
            { "isCancelledFinal", cancelled.Status == JobStatus.Completed || cancelled.Status == JobStatus.Cancelled },
            { "messageCost", message.CostCents },
            { "parentOfFirst", detail.ParentJobId },
            { "isTimeRead", detail.CompletedAt >= detail.CreatedAt },
            { "firstFact", events.First().Type },
            { "unknown", new[] { unknownStep.Provider, unknownStep.Status, unknownClaim.ConfidenceLevel, unknownClaim.Evidence.First().Relation } },
            { "deleted", deleted },
            { "afterwards", afterwards },
        });
    }

    public static void Main()
    {
        Console.WriteLine(Run().GetAwaiter().GetResult());
    }
}
