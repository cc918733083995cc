/** Only if it is still the delivery that was taken: a client that requests redelivery sets `failures` to 0, and then this attempt changes nothing. */
export const END = {
  name: 'webhook_delivery_end',
  text: `update webhook_delivery set status = $5, response_status = $6, error = $7, due_at = null, ended_at = clock_timestamp()
    where webhook_id = $1 and event_id = $2 and attempts = $3::int4 and failures = $4::int4 and (status = 'pending' or $5 = 'delivered')`,
};

export const RETRY = {
  name: 'webhook_delivery_retry',
  text: `update webhook_delivery set response_status = $6, error = $7, due_at = clock_timestamp() + $5::int4 * interval '1 millisecond'
    where webhook_id = $1 and event_id = $2 and attempts = $3::int4 and failures = $4::int4 and status = 'pending'`,
};

export const SUCCEEDED = {
  name: 'webhook_succeeded',
  text: 'update webhook set failing_since = null where id = $1 and failing_since is not null',
};
/** Both only if the webhook is unchanged since the delivery was taken: how the old URL answered says nothing of a new one. */
export const FAILED = {
  name: 'webhook_failed',
  text: 'update webhook set failing_since = clock_timestamp() where id = $1 and sealed = $2 and failing_since is null',
};

export const DISABLE = {
  name: 'webhook_disable',
  text: `update webhook set enabled = false, disabled_reason = $2, disabled_at = clock_timestamp(), updated_at = clock_timestamp()
    where id = $1 and sealed = $4 and enabled
      and ($2 = 'gone' or failing_since <= statement_timestamp() - $3::int4 * interval '1 millisecond')`,
};

export const ENABLED = { name: 'webhook_enabled', text: 'select from webhook where id = $1 and enabled' };
