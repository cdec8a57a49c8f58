import { useRef } from 'react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { CreateInvoiceResponse } from '#contracts/invoices/invoices.ts'
import { ApiError } from '#web/lib/data/call-api.ts'
import { refetchQueries } from '#web/lib/data/refetch.ts'
import { messageInOutbox } from '#web/dashboard/kit/records/use-onboarding.ts'
import { toast } from '#web/ui/toast/toast.ts'
import { createInvoice, type InvoiceOrder } from './invoices-api.ts'

/**
 * Creates an invoice and shows the result, including whether the email was sent. If no response arrived, the request
 * may still have succeeded, so a second request with the same input has the same idempotency key.
 */
export function useCreateInvoice(onCreated: (created: CreateInvoiceResponse) => void) {
  const queries = useQueryClient()
  const pendingOrder = useRef<{ order: string; key: string }>(undefined)
  return useMutation({
    mutationFn: async (order: InvoiceOrder) => {
      const text = JSON.stringify(order)
      const repeated = pendingOrder.current?.order === text ? pendingOrder.current : undefined
      const { key } = (pendingOrder.current = repeated ?? { order: text, key: newKey() })
      return createInvoice(order, key)
    },
    onSettled: (_created, error) => {
      const hasResponse = !(error instanceof ApiError && error.reply.status === 0)
      if (hasResponse) pendingOrder.current = undefined
    },
    onSuccess: async (created, order) => {
      showResult(created, order.sendEmail)
      onCreated(created)
      await refetchQueries(queries, 'invoices')
    },
    onError: (error) =>
      toast({
        title: 'Error',
        description: (error instanceof ApiError && error.message) || 'Failed to create invoice',
        variant: 'destructive',
      }),
  })
}

/**
 * Avoids `randomUUID`, which browsers offer only over HTTPS. The dashboard may be open over HTTP in the shop.
 */
const newKey = () => crypto.getRandomValues(new Uint32Array(4)).join('-')

function showResult(
  { invoice, emailSent, emailError, isEmailInOutbox }: CreateInvoiceResponse,
  wantsEmail: boolean,
): void {
  const name = invoice.number ?? 'The invoice'
  if (wantsEmail && (emailSent === false || emailError)) {
    toast({
      title: 'Invoice Created (Email Failed)',
      description: emailError ?? 'Unknown error',
      variant: 'destructive',
    })
    return
  }
  toast(
    wantsEmail && emailSent
      ? {
          title: 'Invoice Created & Sent',
          description: isEmailInOutbox
            ? messageInOutbox
            : `${name} is on its way to ${invoice.customer_email ?? 'the customer'}.`,
        }
      : { title: 'Invoice Created', description: `${name} is ready to be paid.` },
  )
}
