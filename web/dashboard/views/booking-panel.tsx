import { lazyComponent } from '#web/dashboard/kit/controls/lazy-component.tsx'

/** The panel in which staff book an appointment for a customer on the phone. */
export const BookingPanel = lazyComponent(
  async () =>
    (await import('#web/dashboard/features/day/phone-booking/phone-booking-panel.tsx'))
      .PhoneBookingPanel,
  null,
)
