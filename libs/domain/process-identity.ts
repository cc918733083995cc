/** Which process did something, and which code it ran. */
export interface ProcessIdentity {
  /** Made anew at each start. */
  instance: string;
  /** The version, and a digest of the running code. */
  build: string;
}
