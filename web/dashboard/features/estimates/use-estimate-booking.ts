import { useQuery } from '@tanstack/react-query'
import { readEstimateBooking, readEstimateQuote } from './estimates-api.ts'

/**
 * Reads the booking from which an estimate was created; sends no request if the estimate was not created from a
 * booking.
 */
export function useEstimateBooking(bookingId: string | null) {
  return useQuery({
    queryKey: ['bookings', 'of_estimate', bookingId],
    queryFn: async () => (bookingId && (await readEstimateBooking(bookingId))) || null,
    enabled: bookingId !== null,
  })
}

/**
 * Reads the quote request from which an estimate was created; sends no request if the estimate was not created from a
 * quote request.
 */
export function useEstimateQuote(quoteRequestId: string | null) {
  return useQuery({
    queryKey: ['quotes', 'of_estimate', quoteRequestId],
    queryFn: async () => (quoteRequestId && (await readEstimateQuote(quoteRequestId))) || null,
    enabled: quoteRequestId !== null,
  })
}
