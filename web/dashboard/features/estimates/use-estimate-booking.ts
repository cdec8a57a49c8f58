import { useQuery } from '@tanstack/react-query'
import { readEstimateBooking, readEstimateQuote } from './estimates-api.ts'

/** The booking from which an estimate was created, if there is one. */
export function useEstimateBooking(bookingId: string | null) {
  return useQuery({
    queryKey: ['bookings', 'of_estimate', bookingId],
    queryFn: async () => (bookingId && (await readEstimateBooking(bookingId))) || null,
    enabled: bookingId !== null,
  })
}

/** The quote request from which an estimate was created, if there is one. */
export function useEstimateQuote(quoteRequestId: string | null) {
  return useQuery({
    queryKey: ['quotes', 'of_estimate', quoteRequestId],
    queryFn: async () => (quoteRequestId && (await readEstimateQuote(quoteRequestId))) || null,
    enabled: quoteRequestId !== null,
  })
}
