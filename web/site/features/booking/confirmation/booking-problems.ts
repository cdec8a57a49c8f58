import { tooLittleNotice } from '#domain/bookings/booking-form.ts'
import { formatLongDate } from '#domain/calendar/calendar-date.ts'
import { formatTime } from '#domain/calendar/clock-time.ts'
import { formatDuration, formatShortDuration } from '#domain/text/duration-text.ts'
import { priceFrom } from '#domain/money/price-from.ts'
import type { ShopFacts } from '#domain/shop/shop.ts'
import type { ToastMessage } from '#web/ui/toast/toast.ts'
import type { Problem } from '../draft/booking-draft.ts'
import type { InsertOutcome } from './insert-booking.ts'
import type { Service } from '../service/load-services.ts'
import type { Step } from '../use-step.ts'

/** The message for the visitor, and the step in which the visitor can solve the problem. */
export type BookingFailure = { toast: ToastMessage; problem: Problem; step: Step }

const failed: ToastMessage = {
  title: 'Booking Failed',
  description: 'There was an error creating your booking. Please try again.',
  variant: 'destructive',
}

function noticeRequired({ rules }: ShopFacts): ToastMessage {
  const { title, message } = tooLittleNotice(rules)
  return { title, description: message, variant: 'destructive' }
}

const entriesRemain = 'Your entries are still here.'

/**
 * Returns the texts for a booking that failed: the toast of docs/product.md 8.4, and a longer text for the page that
 * explains the problem and the next step.
 */
export function bookingFailureOf(
  outcome: Exclude<InsertOutcome, 'booked'>,
  { date, time, wasUnanswered }: { date: string; time: string; wasUnanswered: boolean },
  shop: ShopFacts,
): BookingFailure {
  const when = `${formatTime(time)} on ${formatLongDate(date)}`
  const backTo = (step: Step, title: string, text: string, toast = failed): BookingFailure => ({
    toast,
    problem: { title, text },
    step,
  })
  switch (outcome) {
    case 'slot_taken':
      return backTo(
        'time',
        `${when} is taken.`,
        wasUnanswered
          ? `Your first attempt may have booked this time. If our email is in your inbox, you're all set. Otherwise, pick another time. ${entriesRemain}`
          : `Someone else just booked this time. Pick another one below. ${entriesRemain}`,
      )
    case 'notice_required':
      return backTo(
        'time',
        `${when} is now too soon.`,
        `We need at least ${formatDuration(shop.rules.noticeMinutes)} of notice. Pick a later time below. ${entriesRemain}`,
        noticeRequired(shop),
      )
    case 'time_refused':
      return backTo('time', `${when} cannot be booked.`, `Pick another time. ${entriesRemain}`)
    case 'service_unavailable':
      return backTo(
        'service',
        'This service is no longer offered.',
        `Pick another service. ${entriesRemain}`,
      )
    case 'too_many_requests':
      return backTo(
        'details',
        'Too many attempts from your connection.',
        `Wait a minute, then confirm again. ${entriesRemain}`,
      )
    case 'not_online_now':
      return backTo(
        'details',
        'We cannot take this booking online right now.',
        `Call ${shop.phone.display} to book by phone right away, or try again in half an hour. ${entriesRemain}`,
      )
    case 'unreachable':
      return backTo(
        'details',
        'We could not reach the shop’s server.',
        `Check your connection, then confirm again. ${entriesRemain}`,
      )
    case 'unanswered':
      return backTo(
        'details',
        "We didn't get a response.",
        `Your appointment may already be booked. Check your connection, then confirm again. You won't be booked twice. ${entriesRemain}`,
      )
    case 'refused':
      return backTo(
        'details',
        'The shop’s server did not accept the booking.',
        `Try again in a moment, or call ${shop.phone.display} to book by phone. ${entriesRemain}`,
      )
  }
}

/**
 * Returns the message when the shop has changed the chosen service: the difference, and the step to which the visitor
 * returns.
 */
export function serviceChangeFailure(before: Service, now: Service): BookingFailure {
  const changes = [
    now.name !== before.name && `This service is now called ${now.name}.`,
    now.duration_minutes !== before.duration_minutes &&
      `This service now takes ${formatShortDuration(now.duration_minutes)}.`,
    now.price_from_cents !== before.price_from_cents &&
      (now.price_from_cents === null
        ? 'The price is now given at the shop.'
        : `This service now costs ${priceFrom(now.price_from_cents)}.`),
  ].filter(Boolean)
  const isAsLong = now.duration_minutes === before.duration_minutes
  const next = isAsLong ? 'If you agree, confirm again.' : 'Pick a new time.'
  return {
    toast: failed,
    problem: {
      title: `We changed ${before.name} a moment ago. Nothing is booked yet.`,
      text: [...changes, next, entriesRemain].join(' '),
    },
    step: isAsLong ? 'details' : 'time',
  }
}
