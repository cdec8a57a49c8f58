import { useRef } from 'react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { CreateInvoiceResponse } from '#contracts/invoices/invoices.ts'
import { ApiError } from '#web/lib/data/call-api.ts'
import { refetchQueries } from '#web/lib/data/refetch.ts'
import { messageInOutbox } from '#web/dashboard/kit/records/use-onboarding.ts'
import { toast } from '#web/ui/toast/toast.ts'
import { createInvoice, type InvoiceOrder } from './invoices-api.ts'

/**
 * Creates the invoice and says what became of it and of its e-mail. When no answer came, the same order sent
 * again is the same wish: the first try may have arrived.
 */
export function useCreateInvoice(onCreated: (created: CreateInvoiceResponse) => void) {
  const queries = useQueryClient()
  const unanswered = useRef<{ order: string; key: string }>(undefined)
  return useMutation({
    mutationFn: async (order: InvoiceOrder) => {
      const text = JSON.stringify(order)
      const repeated = unanswered.current?.order === text ? unanswered.current : undefined
      const { key } = (unanswered.current = repeated ?? { order: text, key: newKey() })
      return createInvoice(order, key)
    },
    onSettled: (_created, error) => {
      const hasResponse = !(error instanceof ApiError && error.reply.status === 0)
      if (hasResponse) unanswered.current = undefined
    },
    onSuccess: async (created, order) => {
      announce(created, order.sendEmail)
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

/** Not `randomUUID`, which a browser only has over HTTPS: in the shop the dashboard may be open over HTTP. */
const newKey = () => crypto.getRandomValues(new Uint32Array(4)).join('-')

function announce(
  { invoice, emailSent, emailError, isEmailInOutbox }: CreateInvoiceResponse,
  wanted: boolean,
): void {
  const name = invoice.number ?? 'The invoice'
  if (wanted && (emailSent === false || emailError)) {
    toast({
      title: 'Invoice Created (Email Failed)',
      description: emailError ?? 'Unknown error',
      variant: 'destructive',
    })
    return
  }
  toast(
    wanted && emailSent
      ? {
          title: 'Invoice Created & Sent',
          description: isEmailInOutbox
            ? messageInOutbox
            : `${name} is on its way to ${invoice.customer_email ?? 'the customer'}.`,
        }
      : { title: 'Invoice Created', description: `${name} is ready to be paid.` },
  )
}
