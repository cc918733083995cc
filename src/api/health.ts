/** Something a process cannot serve without. */
export interface HealthCheck {
  /** Stable snake_case name, such as `database`. */
  name: string;
  /** Rejects when it is not usable. */
  check: () => Promise<void>;
}

/** Injection token of the process's own list of checks. */
export const HEALTH_CHECKS = Symbol('HealthCheck[]');
