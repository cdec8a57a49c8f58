/*
 * The id of the booking that the phone booking panel saved last, stored until the day view has scrolled to this
 * booking. The panel can be open beside any view, so the day view may open later.
 */
let bookedId: string | undefined

/** Sets the booking to which the day view scrolls as soon as the view draws the booking. */
export function setBookedBooking(id: string): void {
  bookedId = id
}

/**
 * Calls `show` with the id of the booking that was saved last. If `show` returns true, the id is deleted, so that the
 * day view scrolls to the booking only once.
 */
export function showBookedBooking(show: (id: string) => boolean): void {
  if (bookedId !== undefined && show(bookedId)) bookedId = undefined
}
