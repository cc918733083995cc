"""Drives the service by the client that openapi-generator makes of the contract; prints what it saw as JSON."""
import json
import os
import time
import uuid

import research_client as research


def connect(base):
    return research.ApiClient(research.Configuration(host=os.environ[base], access_token=os.environ["API_KEY"]))


def wait(jobs, thread_id, job_id):
    job = jobs.get_job(thread_id, job_id)
    while job.status not in ("completed", "failed", "cancelled"):
        time.sleep(0.05)
        job = jobs.get_job(thread_id, job_id)
    return job


client, stranger = connect("BASE_URL"), connect("UNKNOWN_URL")
threads, jobs, claims = research.ThreadsApi(client), research.JobsApi(client), research.ClaimsApi(client)

body = research.CreateThreadBody(message="How do hooks end?", budget="L")
key = str(uuid.uuid4())
thread = threads.create_thread(body, idempotency_key=key)
again = threads.create_thread(body, idempotency_key=key)
job = wait(jobs, thread.id, thread.job.id)
found = claims.list_claims(job_id=job.id)
evidence = claims.get_claim(found.claims[0].id).evidence
pursued = jobs.pursue_job(thread.id, job.id, research.PursueJobBody(topic="And hooks of plugins?"))
first = jobs.list_jobs(thread_id=thread.id, limit=1)
second = jobs.list_jobs(thread_id=thread.id, limit=1, cursor=first.next_cursor)
cancelled = jobs.cancel_job(thread.id, pursued.id)
message = threads.list_messages(thread.id).messages[0]
detail = jobs.get_job_detail(job.id, include_steps=True)
events = jobs.list_job_events(thread.id, job.id).events
unknown_step = research.JobsApi(stranger).get_job_detail(job.id, include_steps=True).steps[0]
unknown_claim = research.ClaimsApi(stranger).get_claim(found.claims[0].id)
deleted = threads.delete_thread(thread.id).deleted
try:
    threads.get_thread(thread.id)
    afterwards = None
except research.ApiException as error:
    afterwards = json.loads(error.body)["code"]

print(json.dumps({
    "isRepeated": again.id == thread.id and again.job.id == thread.job.id,
    "status": job.status,
    "hasClaims": found.total == len(job.synthesis_claims_json) > 0,
    "hasEvidence": all(len(one.quote) == one.end_index - one.start_index > 0 for one in evidence),
    "parent": pursued.parent_job_id == job.id,
    "pages": [one.id for one in first.jobs + second.jobs] == [pursued.id, job.id],
    "isCancelledFinal": cancelled.status in ("completed", "cancelled"),
    "messageCost": message.cost_cents,
    "parentOfFirst": detail.parent_job_id,
    "isTimeRead": detail.completed_at >= detail.created_at,
    "firstFact": events[0].type,
    "unknown": [unknown_step.provider, unknown_step.status, unknown_claim.confidence_level, unknown_claim.evidence[0].relation],
    "deleted": deleted,
    "afterwards": afterwards,
}))
