/** Begins a transaction that stands still for as long as a test holds it: otherwise the server ends one of this project's pools. */
export const HOLD = 'begin; set local idle_in_transaction_session_timeout = 0';
