import { useRef, useState } from 'react'
import {
  bookingFieldLimits,
  checkBookingForm,
  type BookingForm,
  type BookingFormRefusal,
  type NewBooking,
} from '#domain/bookings/booking-form.ts'
import { calendarOf, type ShopCalendar } from '#domain/calendar/shop-calendar.ts'
import { senderHeaders, useFormGuard } from '#web/site/kit/form-guard.ts'
import { useShop } from '#web/lib/shop.ts'
import { useForm } from '#web/lib/forms/use-form.ts'
import { toast } from '#web/ui/toast/toast.ts'
import { emptyDraft } from '../draft/booking-draft.ts'
import { buildConfirmationRequest } from './build-confirmation-request.ts'
import { changeDraft, currentDraft } from '../draft/draft-store.ts'
import { bookingFailureOf, serviceChangeFailure, type BookingFailure } from './booking-problems.ts'
import { insertBooking, type InsertOutcome } from './insert-booking.ts'
import { type Service, loadServices } from '../service/load-services.ts'
import { type Confirmation, requestConfirmation } from '#web/site/kit/request-confirmation.ts'

type Chosen = { service: Service; date: string; time: string }

/**
 * Checks the form, inserts the booking, requests the confirmation email, and shows each outcome in the words of
 * docs/product.md 8.4. `onSetback` opens the step at which the visitor can solve the problem.
 */
export function useConfirmBooking(
  input: BookingForm,
  onSetback: (setback: BookingFailure) => void,
) {
  const shop = useShop()
  const guard = useFormGuard()
  const element = useRef<HTMLFormElement>(null)
  const form = useForm({
    element,
    values: input,
    onChange: changeInput,
    limits: bookingFieldLimits,
  })
  const isBusy = useRef(false)
  const [isConfirming, setIsConfirming] = useState(false)

  async function confirm(chosen: Chosen) {
    // `isBusy` is a ref instead of React state, because state changes only with the next render. The second click of a
    // double click can come before that render.
    if (isBusy.current) return
    const checked = checkInput(chosen, calendarOf(shop))
    if (!checked.ok) return refuse(checked.refusal, chosen)
    isBusy.current = true
    form.accept()
    setIsConfirming(true)
    changeDraft({ problem: null })
    try {
      await book(checked.value, chosen)
    } finally {
      isBusy.current = false
      setIsConfirming(false)
    }
  }

  function refuse(refusal: BookingFormRefusal, { date, time }: Chosen) {
    if (refusal.fields.length > 0) return form.refuse(refusal)
    return fallBack('notice_required', { date, time, wasUnanswered: false })
  }

  async function book(row: NewBooking, chosen: Chosen) {
    const key = `${row.appointment_date} ${row.appointment_time} ${row.customer_email}`
    const { unanswered } = currentDraft()
    const wasUnanswered = unanswered?.booking === key
    const [headers, change] = await Promise.all([
      guard.headers(),
      // If the server may already have stored the booking, the browser sends it again unchanged, so that the server
      // recognizes it.
      wasUnanswered ? undefined : findServiceChange(chosen.service),
    ])
    if (change) return showServiceChange(change, chosen)
    const confirmation = buildConfirmationRequest(row, chosen.service.name)
    const outcome = await insertBooking(row, headers)
    if (outcome === 'booked') {
      guard.renew()
      return celebrate(chosen, requestConfirmation(confirmation, headers))
    }
    // The booking that occupies the slot may be this same booking, stored by an earlier attempt whose response was
    // lost. The request for the confirmation email reveals this: it succeeds only if the booking is stored.
    const mayBeBooked = outcome === 'unanswered' || (outcome === 'slot_taken' && wasUnanswered)
    const sender = outcome === 'slot_taken' && unanswered ? unanswered.guard : headers
    const found = mayBeBooked ? await requestConfirmation(confirmation, sender) : undefined
    // The server returns the visit page's path only to the browser that made the booking.
    if (found?.isSent || found?.visitPath) return celebrate(chosen, Promise.resolve(found))
    if (outcome === 'unanswered')
      changeDraft({ unanswered: { booking: key, guard: senderHeaders(headers) } })
    return fallBack(outcome, { ...chosen, wasUnanswered })
  }

  /**
   * Handles a service that the shop changed after the visitor chose it: shows what has changed, and books only after
   * the visitor has seen the change.
   */
  function showServiceChange(change: ServiceChange, chosen: Chosen) {
    if (change === 'gone') {
      return fallBack('service_unavailable', { ...chosen, wasUnanswered: false })
    }
    const isAsLong = change.duration_minutes === chosen.service.duration_minutes
    changeDraft({ service: change, time: isAsLong ? chosen.time : null })
    showFailure(serviceChangeFailure(chosen.service, change))
  }

  function fallBack(
    outcome: Exclude<InsertOutcome, 'booked'>,
    details: { date: string; time: string; wasUnanswered: boolean },
  ) {
    showFailure(bookingFailureOf(outcome, details, shop))
  }

  function showFailure(setback: BookingFailure) {
    changeDraft({ problem: setback.problem })
    toast(setback.toast)
    onSetback(setback)
  }

  return { confirm, isConfirming, element, form, honeypot: guard.honeypot }
}

function changeInput(change: (before: BookingForm) => BookingForm) {
  changeDraft({ form: change(currentDraft().form) })
}

function checkInput({ service, date, time }: Chosen, calendar: ShopCalendar) {
  const choice = { serviceId: service.id, date, time }
  return checkBookingForm(currentDraft().form, choice, new Date(), calendar)
}

/** Shows the summary of the stored booking immediately, and the state of the email once it is known. */
async function celebrate(
  { service, date, time }: Chosen,
  email: Promise<Confirmation>,
): Promise<void> {
  const confirmed = { serviceName: service.name, date, time } as const
  changeDraft({
    ...emptyDraft,
    confirmed: { ...confirmed, email: 'requested', confirmBy: null, visitPath: null },
  })
  const { isSent, confirmBy, visitPath } = await email
  toast(isSent ? bookedAndWritten : bookedOnly)
  if (currentDraft().confirmed) {
    changeDraft({
      confirmed: { ...confirmed, email: isSent ? 'sent' : 'failed', confirmBy, visitPath },
    })
  }
}

const bookedAndWritten = {
  title: 'Booking Confirmed!',
  description:
    'Your appointment has been successfully scheduled. Check your email for confirmation details.',
}

const bookedOnly = {
  title: 'Booking Confirmed',
  description:
    "Your appointment is confirmed, but we couldn't send the confirmation email. Please save your appointment details.",
}

/**
 * A change of the chosen service: 'gone' when the shop no longer offers the service, otherwise the current version of
 * the service.
 */
type ServiceChange = 'gone' | Service

/**
 * The maximum time, in milliseconds, that a visitor waits for the check whether the shop changed the service. After
 * that time the booking is sent without the check, because the database checks the service anyway.
 */
const timeoutMs = 4000

/**
 * Returns how the shop changed the chosen service; undefined if the shop did not change the service, or if the request
 * fails.
 */
async function findServiceChange(chosen: Service): Promise<ServiceChange | undefined> {
  const services = await loadServices(AbortSignal.timeout(timeoutMs)).catch(() => undefined)
  if (!services) return undefined
  const now = services.find(({ id }) => id === chosen.id)
  if (!now) return 'gone'
  const isSame =
    now.name === chosen.name &&
    now.duration_minutes === chosen.duration_minutes &&
    now.price_from_cents === chosen.price_from_cents
  return isSame ? undefined : now
}
