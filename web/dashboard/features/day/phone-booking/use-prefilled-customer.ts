import { useEffect, useRef } from 'react'
import type { PhoneBookingCustomer } from '#contracts/bookings/phone-bookings.ts'
import {
  type PhoneBookingForm,
  customerFromSearch,
  isSamePhone,
} from '#domain/bookings/phone-booking-form.ts'
import {
  type PhoneBookingPrefill,
  usePhoneBookingPrefill,
} from '#web/dashboard/kit/bookings/phone-booking-prefill.ts'
import { toast } from '#web/ui/toast/toast.ts'
import { findCustomers } from './phone-bookings-api.ts'

type Options = {
  /**
   * Whether the user has already typed into the panel. If so, the data of the prefilled customer does not replace the
   * typed values.
   */
  readonly hasInput: boolean
  readonly choose: (customer: PhoneBookingCustomer, vehicleIndex: number) => void
  readonly beginNew: (found: Pick<PhoneBookingForm, 'name' | 'phone'>) => void
}

/** Fills in the customer for whom the user opened the panel from another page. */
export function usePrefilledCustomer(options: Options): void {
  const [prefill, forget] = usePhoneBookingPrefill()
  const latest = useRef(options)
  useEffect(() => {
    latest.current = options
  })
  useEffect(() => {
    if (!prefill) return
    forget()
    const { hasInput, choose, beginNew } = latest.current
    if (hasInput) {
      toast({
        title: 'You have an unsaved booking.',
        description: 'Save or discard the booking first.',
      })
    } else if (prefill.kind === 'new') {
      beginNew(customerFromSearch(prefill.search))
    } else {
      void findExisting(prefill).then((customer) =>
        customer
          ? choose(customer, 0)
          : beginNew({ name: prefill.name, phone: prefill.phone ?? '' }),
      )
    }
  }, [prefill, forget])
}

/** Finds the prefilled customer by phone number or name; undefined if none matches or the search fails. */
async function findExisting({ name, phone }: PhoneBookingPrefill & { kind: 'known' }) {
  const customers = await findCustomers(phone ?? name).catch(() => [])
  return customers.find(
    (customer) =>
      customer.customer_name === name && (!phone || isSamePhone(customer.customer_phone, phone)),
  )
}
