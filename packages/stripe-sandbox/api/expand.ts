import type { ObjectStore } from '../objects/object-store.ts'
import { present } from '../objects/present.ts'
import type { Kind } from '../objects/wire.ts'
import { invalidRequest } from './api-error.ts'
import type { FormObject } from './form.ts'
import { fields, listOf, text } from './params.ts'

type Json = { [key: string]: unknown }
type Context = { readonly store: ObjectStore; readonly publicUrl: string }

const maxDepth = 4

// The fields of an invoice payment that can contain the id of the payment. Each invoice payment has only one of these
// fields: the one that its `type` names.
const paymentReferences = new Set(['charge', 'payment_intent', 'payment_record'])

const readExpand = fields({ expand: listOf(text(200), 20) })

/** Removes the parameter `expand`, which every route accepts, from a form and returns its paths. */
export function parseExpand(form: FormObject): string[] {
  const { expand } = form
  delete form['expand']
  return readExpand({ expand }).expand ?? []
}

// The kind of object that an id refers to, by the prefix of the id.
const kindByPrefix: Record<string, Kind> = {
  cus: 'customer',
  in: 'invoice',
  ii: 'invoiceitem',
  inpay: 'invoice_payment',
  cs: 'checkout.session',
  pi: 'payment_intent',
  ch: 'charge',
  pr: 'payment_record',
  cn: 'credit_note',
  du: 'dispute',
  re: 'refund',
  txr: 'tax_rate',
}

// The fields that a response includes only when the request expands them. Each function reads the value of the field;
// `id` is the id of the object that contains the field.
const includable: Record<string, (store: ObjectStore, id: string) => Promise<unknown>> = {
  'checkout.session.line_items': async (store, id) =>
    (await store.retrieve('checkout.session', id)).line_items,
  'invoice.amount_paid_off_stripe': async (store, id) =>
    (await store.retrieve('invoice', id)).amount_paid_off_stripe ?? 0,
  'invoice.payments': async (store, id) => ({
    object: 'list',
    data: await store.all('invoice_payment', { invoice: id }),
    has_more: false,
    url: `/v1/invoice_payments?invoice=${id}`,
  }),
  'charge.refunds': async (store, id) => ({
    object: 'list',
    data: (await store.all('refund', { charge: id })).toReversed(),
    has_more: false,
    url: `/v1/charges/${id}/refunds`,
  }),
}

/**
 * Replaces ids in a response with their objects, in place. Paths are dotted; with `data.` the rest of the path applies
 * to each item of a list.
 */
export async function expandResponse(
  response: object,
  paths: readonly string[],
  context: Context,
): Promise<void> {
  for (const path of paths) {
    const steps = path.split('.')
    if (steps.length > maxDepth) {
      throw invalidRequest(
        `You cannot expand more than ${maxDepth} levels of a property.`,
        undefined,
        'expand',
      )
    }
    await expandPath(response as Json, steps, path, context)
  }
}

async function expandPath(
  owner: Json,
  steps: readonly string[],
  path: string,
  context: Context,
): Promise<void> {
  const [step = '', ...rest] = steps
  const value = await stepInto(owner, step, path, context)
  if (value === null || rest.length === 0) return
  for (const item of Array.isArray(value) ? value : [value]) {
    await expandPath(item as Json, rest, path, context)
  }
}

/** Returns the object or list at one step of a path, and reads the object from the store when the step is an id. */
async function stepInto(
  owner: Json,
  step: string,
  path: string,
  context: Context,
): Promise<object | null> {
  const include = includable[`${String(owner['object'])}.${step}`]
  if (include && owner[step] === undefined)
    owner[step] = await include(context.store, String(owner['id']))
  const value = Object.hasOwn(owner, step) ? owner[step] : undefined
  // A number, such as the field `amount_paid_off_stripe`, contains no ids to expand.
  if (value === null || (include && typeof value === 'number')) return null
  if (typeof value === 'object') return value
  if (isOfOtherType(owner, step)) return null
  const id = typeof value === 'string' ? value : ''
  const kind = kindByPrefix[id.split('_')[0] ?? '']
  const found = kind && (await context.store.find(kind, id))
  if (!found) {
    throw invalidRequest(
      `This property cannot be expanded (${path.slice(0, 200)}).`,
      undefined,
      'expand',
    )
  }
  return (owner[step] = present(found, context.publicUrl))
}

/**
 * Returns whether the object `owner` is a payment or refund of a type that does not have the field whose name is
 * `step`. A list can contain objects of several types.
 */
function isOfOtherType(owner: Json, step: string): boolean {
  const type = String(owner['type'])
  if (type === 'payment_record_refund') return step === 'refund'
  return type !== step && [type, step].every((name) => paymentReferences.has(name))
}
