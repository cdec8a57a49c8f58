/*
 * The booking that the phone booking panel saved last, until a day view has shown it. The panel can be open beside any
 * view, so the day that draws the booking may open later.
 */
let bookedId: string | undefined

/** Sets the booking that the day view scrolls to once it draws it. */
export function setBookedBooking(id: string): void {
  bookedId = id
}

/** Passes the booking to `show` until it returns true, so that each booking is shown once. */
export function showBookedBooking(show: (id: string) => boolean): void {
  if (bookedId !== undefined && show(bookedId)) bookedId = undefined
}
