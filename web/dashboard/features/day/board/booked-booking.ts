/*
 * The booking that the phone booking panel saved last, until a day view has scrolled to it. The panel can be open
 * beside any view, so the day view of the booking may open later.
 */
let bookedId: string | undefined

/** Sets the booking to which the day view scrolls as soon as the view draws the booking. */
export function setBookedBooking(id: string): void {
  bookedId = id
}

/** Passes the booking to `show` until `show` returns true, so that the day view shows each booking once. */
export function showBookedBooking(show: (id: string) => boolean): void {
  if (bookedId !== undefined && show(bookedId)) bookedId = undefined
}
