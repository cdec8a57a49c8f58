import { createInvoice, type InvoiceToMake } from '#server/features/invoices/create-invoice.ts'
import { defaultDueDays } from '#domain/invoices/invoice-lines.ts'
import { asServer } from '#server/platform/database/identities.ts'
import { type Database, rowsAs } from '@local/postgres'
import type { PaymentContext } from '../payment-context.ts'

/** A replacement invoice to create, from the result of `internal.claim_replacement_invoices`. */
type Replacement = {
  readonly requestId: string
  readonly originalNumber: string
  readonly amountCents: number
  readonly cause: 'recorded_wrongly' | 'returned_check' | 'lost_dispute'
  readonly name: string
  readonly email: string
  readonly phone: string
}

const causes: Readonly<Record<Replacement['cause'], string>> = {
  recorded_wrongly: 'amount recorded as paid by mistake',
  returned_check: 'returned check',
  lost_dispute: 'payment reversed after a lost card dispute',
}

/**
 * Creates a replacement invoice for each amount that Stripe counts as paid although the shop did not receive the money
 * (docs/product.md 17.5). Returns the number of created invoices. Passes a failure to `onFailure`, and retries the
 * creation of the invoice with increasing delays.
 */
export async function makeReplacements(
  context: PaymentContext,
  onFailure: (requestId: string, error: unknown) => void,
): Promise<number> {
  let made = 0
  for (const replacement of await claimReplacements(context.database)) {
    const { requestId } = replacement
    try {
      const invoice = await createInvoice(context, toOrder(replacement), requestId)
      if (!invoice.ok) throw new Error(`Replacement invoice not created: ${invoice.refusal.code}`)
      await recordReplacement(context.database, requestId, invoice.value.id)
      made += 1
    } catch (error) {
      onFailure(requestId, error)
    }
  }
  return made
}

/** A replacement invoice has no sales tax, because the original invoice contains the tax. */
function toOrder({ originalNumber, amountCents, cause, ...customer }: Replacement): InvoiceToMake {
  const { name, email, phone } = customer
  return {
    customer: { name, email, phone },
    lines: [
      {
        description: `Replaces invoice ${originalNumber}: ${causes[cause]}`,
        amountCents,
        quantity: 1,
      },
    ],
    memo: `Replaces invoice ${originalNumber}`,
    dueDays: defaultDueDays,
    isResumed: true,
  }
}

async function claimReplacements(database: Database): Promise<readonly Replacement[]> {
  const [row] = await database.transaction(asServer, async (query) =>
    rowsAs<{ due: readonly Replacement[] }>(
      await query('select internal.claim_replacement_invoices() as due'),
    ),
  )
  return row?.due ?? []
}

async function recordReplacement(
  database: Database,
  requestId: string,
  invoiceId: string,
): Promise<void> {
  await database.transaction(asServer, (query) =>
    query('select internal.record_replacement_invoice($1, $2)', [requestId, invoiceId]),
  )
}
