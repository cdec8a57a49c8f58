/**
 * The interval, in milliseconds, at which the dashboard refetches the settings. Live events announce changes
 * immediately; refetching finds the changes even when the live stream is interrupted.
 */
export const pollMs = 60_000
