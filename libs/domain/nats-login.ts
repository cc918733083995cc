/** How a process logs in at its NATS servers, unless their addresses contain the login, and whom it trusts. At most one of the ways is set. */
export interface NatsLogin {
  user?: string;
  password?: string;
  token?: string;
  /** Seed of a user's key pair. */
  nkey?: string;
  /** Files are read anew for each connection, so they can be replaced while the process runs. */
  credentialsFile?: string;
  certificateFile?: string;
  certificateKeyFile?: string;
  caFile?: string;
}
