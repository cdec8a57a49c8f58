/** SQLSTATEs for refused requests about the day close, the daily cash count (see `contracts/database-errors.ts`). */
export const dayCloseErrors = {
  TT110: {
    meaning: 'The day cannot be closed now. The hint of the error states the reason.',
    message: 'This day cannot be closed now. Reload the page and check the day again.',
    hints: [
      'already_closed',
      'day_in_future',
      'earlier_day_open',
      'expected_changed',
      'later_day_closed',
      'nothing_to_close',
      'start_required',
    ],
  },
} as const
