import java.util.*;
import java.util.stream.*;
import com.fasterxml.jackson.databind.ObjectMapper;
import research.*;
import research.api.*;
import research.model.*;

/** Drives the service by the client that openapi-generator makes of the contract; prints what it saw as JSON. */
public class Program {
  static ApiClient connect(String base) {
    ApiClient client = new ApiClient();
    client.updateBaseUri(System.getenv(base));
    client.setRequestInterceptor(request -> request.header("Authorization", "Bearer " + System.getenv("API_KEY")));
    return client;
  }

  static boolean isFinal(JobStatus status) {
    return Set.of(JobStatus.COMPLETED, JobStatus.FAILED, JobStatus.CANCELLED).contains(status);
  }

  public static void main(String[] parameters) throws Exception {
    ApiClient client = connect("BASE_URL"), stranger = connect("UNKNOWN_URL");
    ThreadsApi threads = new ThreadsApi(client);
    JobsApi jobs = new JobsApi(client);
    ClaimsApi claims = new ClaimsApi(client);

    CreateThreadBody body = new CreateThreadBody().message("How do hooks end?").budget(CreateThreadBody.BudgetEnum.L);
    ThreadsApi.APICreateThreadRequest create =
      ThreadsApi.APICreateThreadRequest.newBuilder().createThreadBody(body).idempotencyKey(UUID.randomUUID().toString()).build();
    ThreadCreated thread = threads.createThread(create), again = threads.createThread(create);
    String threadId = thread.getId(), jobId = thread.getJob().getId();
    JobsApi.APIGetJobRequest get = JobsApi.APIGetJobRequest.newBuilder().threadId(threadId).jobId(jobId).build();
    Job job = jobs.getJob(get);
    while (!isFinal(job.getStatus())) {
      Thread.sleep(50);
      job = jobs.getJob(get);
    }
    ClaimList found = claims.listClaims(ClaimsApi.APIListClaimsRequest.newBuilder().jobId(jobId).build());
    ClaimsApi.APIGetClaimRequest getClaim =
      ClaimsApi.APIGetClaimRequest.newBuilder().claimId(found.getClaims().get(0).getId()).build();
    List<ClaimEvidence> evidence = claims.getClaim(getClaim).getEvidence();
    JobPursued pursued = jobs.pursueJob(JobsApi.APIPursueJobRequest.newBuilder().threadId(threadId).jobId(jobId)
      .pursueJobBody(new PursueJobBody().topic("And hooks of plugins?")).build());
    JobList first = jobs.listJobs(JobsApi.APIListJobsRequest.newBuilder().threadId(threadId).limit(1).build());
    JobList second =
      jobs.listJobs(JobsApi.APIListJobsRequest.newBuilder().threadId(threadId).limit(1).cursor(first.getNextCursor()).build());
    Job cancelled = jobs.cancelJob(JobsApi.APICancelJobRequest.newBuilder().threadId(threadId).jobId(pursued.getId()).build());
    Message message =
      threads.listMessages(ThreadsApi.APIListMessagesRequest.newBuilder().threadId(threadId).build()).getMessages().get(0);
    JobsApi.APIGetJobDetailRequest getDetail = JobsApi.APIGetJobDetailRequest.newBuilder().jobId(jobId).includeSteps(true).build();
    JobDetail detail = jobs.getJobDetail(getDetail);
    JobsApi.APIListJobEventsRequest listEvents =
      JobsApi.APIListJobEventsRequest.newBuilder().threadId(threadId).jobId(jobId).build();
    JobEvent event = jobs.listJobEvents(listEvents).getEvents().get(0);
    JobStep unknownStep = new JobsApi(stranger).getJobDetail(getDetail).getSteps().get(0);
    ClaimDetail unknownClaim = new ClaimsApi(stranger).getClaim(getClaim);
    boolean deleted =
      threads.deleteThread(ThreadsApi.APIDeleteThreadRequest.newBuilder().threadId(threadId).build()).getDeleted();
    String afterwards = null;
    try {
      threads.getThread(ThreadsApi.APIGetThreadRequest.newBuilder().threadId(threadId).build());
    } catch (ApiException error) {
      afterwards = new ObjectMapper().readTree(error.getResponseBody()).get("code").asText();
    }

    Map<String, Object> seen = new LinkedHashMap<>();
    seen.put("isRepeated", again.getId().equals(threadId) && again.getJob().getId().equals(jobId));
    seen.put("status", job.getStatus().getValue());
    seen.put("hasClaims", found.getTotal() > 0 && found.getTotal() == job.getSynthesisClaimsJson().size());
    seen.put("hasEvidence", evidence.stream().allMatch(one -> one.getQuote().length() == one.getEndIndex() - one.getStartIndex()));
    seen.put("parent", pursued.getParentJobId().equals(jobId));
    seen.put("pages", Stream.of(first, second).flatMap(page -> page.getJobs().stream()).map(JobListItem::getId).toList()
      .equals(List.of(pursued.getId(), jobId)));
    seen.put("isCancelledFinal", Set.of(JobStatus.COMPLETED, JobStatus.CANCELLED).contains(cancelled.getStatus()));
    seen.put("messageCost", message.getCostCents());
    seen.put("parentOfFirst", detail.getParentJobId());
    seen.put("isTimeRead", !detail.getCompletedAt().isBefore(detail.getCreatedAt()));
    seen.put("firstFact", event.getType());
    seen.put("unknown", List.of(unknownStep.getProvider(), unknownStep.getStatus(), unknownClaim.getConfidenceLevel(),
      unknownClaim.getEvidence().get(0).getRelation()));
    seen.put("deleted", deleted);
    seen.put("afterwards", afterwards);
    System.out.println(new ObjectMapper().writeValueAsString(seen));
  }
}
