import { useQueryClient } from '@tanstack/react-query'
import { type RefObject, useState } from 'react'
import type { ContactChange, Notification } from '#contracts/bookings/booking-commands.ts'
import type { DayBooking, ShopDay } from '#contracts/bookings/day.ts'
import type { FreeTime } from '#contracts/bookings/phone-bookings.ts'
import { bookingErrorToast } from '#web/dashboard/kit/bookings/booking-errors.ts'
import { notificationProblem } from '#web/dashboard/kit/bookings/notify-customer.ts'
import { useVersionedForm } from '#web/dashboard/kit/forms/use-versioned-form.ts'
import type { Saved } from '#web/dashboard/kit/forms/versioned-draft.ts'
import { refetchQueries } from '#web/lib/data/refetch.ts'
import { DataError } from '#web/lib/data/request-data.ts'
import { messageInOutbox, useCanSendEmail } from '#web/dashboard/kit/records/use-onboarding.ts'
import { toast, type ToastMessage } from '#web/ui/toast/toast.ts'
import { readDay } from '../day-api.ts'
import { useShownInDay } from '../board/unsaved-place.ts'
import { editBooking } from './edit-api.ts'
import {
  checkEditForm,
  editDraftOf,
  editFieldLabels,
  editFieldLimits,
  type EditForm,
  editFormOf,
  isContactChanged,
} from './edit-form.ts'
import { useEditedPlace } from './use-edited-place.ts'

type Options = {
  readonly booking: DayBooking
  readonly bays: ShopDay['bays']
  readonly element: RefObject<HTMLFormElement | null>
  /** Called with the date of the saved booking. */
  readonly onSaved: (date: string) => void
}

export type EditPanelState = ReturnType<typeof useEditPanel>

const slotTakenCode = '23P01'

/**
 * State of the edit panel: the form, the check whether the selected service fits at the booked time, and the saving.
 */
export function useEditPanel({ booking, bays, element, onSaved }: Options) {
  const queries = useQueryClient()
  const canSendEmail = useCanSendEmail()
  const [draftStorage] = useState(() => editDraftOf(booking.id))
  const [notifies, setNotifies] = useState(true)
  const [promptCount, setPromptCount] = useState(0)
  const [failure, setFailure] = useState<string>()
  const { values, form, record, save, isSaving, conflict, changed } = useVersionedForm<
    EditForm,
    Saved<EditForm>
  >({
    saved: { form: editFormOf(booking), version: booking.version },
    draftStorage,
    othersChanges: 'merged',
    read: async () => {
      const current = await readCurrent(booking, values.date)
      return { form: editFormOf(current), version: current.version }
    },
    element,
    limits: editFieldLimits,
    label: (name) => editFieldLabels[name],
    check: (typed) => checkEditForm(typed, booking),
    async write(typed, seenVersion) {
      setFailure(undefined)
      if (place.slotProblem) {
        setPromptCount((count) => count + 1)
        return 'declined'
      }
      try {
        const offered = emailAbout !== undefined && notifies
        const { notification } = await editBooking(booking, seenVersion, typed, offered)
        draftStorage.forget()
        toast(savedToast(typed, notification, canSendEmail))
        return 'ended'
      } catch (error) {
        if (error instanceof DataError && error.code === slotTakenCode) {
          setPromptCount((count) => count + 1)
        } else if (error instanceof DataError && error.hint !== 'version_conflict') {
          setFailure(bookingErrorToast(error).description)
        } else throw error
        return 'declined'
      } finally {
        await refetchQueries(queries, 'bookings')
      }
    },
    onSave: ({ kind }) => {
      if (kind === 'saved' || kind === 'unchanged') onSaved(values.date)
    },
  })
  const place = useEditedPlace(values, booking)
  useShownInDay(place.conflict)
  const isOtherContact = isContactChanged(values, booking)
  const emailAbout = emailOf(values, booking)
  return {
    values,
    form,
    conflict,
    isChanged: changed.length > 0,
    isOtherContact,
    place: {
      ...place,
      bays,
      /** Whether the user has chosen another start for the booking, so that saving also moves the booking. */
      isMoved: changed.includes('date') || changed.includes('time'),
      select: ({ date, time }: FreeTime) => form.change({ date, time }),
      keep: () => {
        const { date, time } = editFormOf(booking)
        form.change({ date, time })
      },
    },
    decide: (contactChange: ContactChange) => form.change({ contactChange }),
    emailAbout,
    notifies,
    setNotifies,
    promptCount,
    failure,
    isBusy: isSaving,
    discard: record.discard,
    save,
  }
}

/**
 * The email that the panel offers to send: 'change' for a new service or time, 'confirmation' for a corrected email
 * address, undefined if none of them changed.
 */
function emailOf(form: EditForm, booking: DayBooking): 'change' | 'confirmation' | undefined {
  const before = editFormOf(booking)
  if (form.contactChange === 'other_customer') return undefined
  if (
    form.serviceId !== before.serviceId ||
    form.date !== before.date ||
    form.time !== before.time
  ) {
    return 'change'
  }
  return form.email.trim() !== before.email && form.email.trim() !== '' ? 'confirmation' : undefined
}

function savedToast(
  { name, phone }: EditForm,
  notification: Notification,
  canSendEmail: boolean,
): ToastMessage {
  const problem =
    notification && !canSendEmail ? messageInOutbox : notificationProblem(notification)
  if (problem) {
    return {
      title: 'Saved, customer not notified',
      description: `The customer got no email. ${problem} Call ${phone}.`,
      variant: 'destructive',
    }
  }
  return notification
    ? { title: 'Saved and customer notified', description: `${name}. The email will be sent soon.` }
    : { title: 'Saved', description: name }
}

async function readCurrent(booking: DayBooking, date: string): Promise<DayBooking> {
  const days = [...new Set([editFormOf(booking).date, date])]
  for (const day of days) {
    const current = (await readDay(day)).bookings.find(({ id }) => id === booking.id)
    if (current) return current
  }
  throw new DataError({ code: 'TT060', message: '', hint: 'booking_not_found' }, 404)
}
