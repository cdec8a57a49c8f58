/** Where the appointments of a date are seen bay by bay, with one of them open where it is named. */
export function dayLink(date: string, bookingId?: string): string {
  return `?tab=appointments&view=day&day=${date}${bookingId ? `&booking=${bookingId}` : ''}`
}
