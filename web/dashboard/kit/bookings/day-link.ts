/** The link of the day view of a date (yyyy-MM-dd). With a booking id, the panel of that booking is open. */
export function dayLink(date: string, bookingId?: string): string {
  return `?tab=appointments&view=day&day=${date}${bookingId ? `&booking=${bookingId}` : ''}`
}
