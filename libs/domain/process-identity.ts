/** Which process did something, and by which code. */
export interface ProcessIdentity {
  /** Made anew at each start. */
  instance: string;
  /** The version, and a digest of the code that runs. */
  build: string;
}
