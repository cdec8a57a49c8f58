/** Live events announce changes immediately; polling this often finds them even when the live stream is interrupted. */
export const pollMs = 60_000
