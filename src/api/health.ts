/** A check of something that a process needs. */
export interface HealthCheck {
  /** Stable snake_case name, such as `database`. */
  name: string;
  /** Rejects if it is not usable. */
  check: () => Promise<void>;
}

/** Injection token of the process's own list of checks. */
export const HEALTH_CHECKS = Symbol('HealthCheck[]');
