/** Injection token of the `PlanSettings` that jobs are planned by. */
export const PLAN_SETTINGS = Symbol('plan settings');
/** Injection token of the `Store`. */
export const STORE = Symbol('store');
