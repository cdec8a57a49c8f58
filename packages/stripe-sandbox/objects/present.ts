import type {
  StoredObject,
  WireCreditNote,
  WireEvent,
  WireInvoice,
  WireList,
  WirePaymentRecord,
  WireSession,
} from './wire.ts'

const linesShown = 10

/**
 * Converts a stored object to its form in a response: makes URLs absolute, reduces long lists to their first page,
 * and omits fields that a response includes only when they are expanded.
 */
export function present<O extends StoredObject>(object: O, publicUrl: string): O
export function present(object: StoredObject, publicUrl: string): StoredObject {
  switch (object.object) {
    case 'invoice':
      return presentInvoice(object, publicUrl)
    case 'checkout.session':
      return presentSession(object, publicUrl)
    case 'charge':
      return { ...object, receipt_url: absolute(object.receipt_url, publicUrl) }
    case 'credit_note':
      return presentCreditNote(object, publicUrl)
    case 'payment_record':
      return presentPaymentRecord(object)
    case 'event':
      return presentEvent(object, publicUrl)
    default:
      return object
  }
}

function presentInvoice(invoice: WireInvoice, publicUrl: string): WireInvoice {
  const { amount_paid_off_stripe: _expandable, ...shown } = invoice
  return {
    ...shown,
    hosted_invoice_url: absolute(invoice.hosted_invoice_url ?? null, publicUrl),
    invoice_pdf: absolute(invoice.invoice_pdf ?? null, publicUrl),
    lines: firstPage(invoice.lines),
  }
}

function presentCreditNote(note: WireCreditNote, publicUrl: string): WireCreditNote {
  return { ...note, lines: firstPage(note.lines), pdf: new URL(note.pdf, publicUrl).href }
}

function firstPage<Item>(lines: WireList<Item>): WireList<Item> {
  const { data } = lines
  return { ...lines, data: data.slice(0, linesShown), has_more: data.length > linesShown }
}

function presentSession(session: WireSession, publicUrl: string): WireSession {
  const { line_items: _expandable, payment_intent_data: _internal, ...shown } = session
  return { ...shown, url: session.status === 'open' ? absolute(session.url, publicUrl) : null }
}

function presentPaymentRecord(record: WirePaymentRecord): WirePaymentRecord {
  const { reported_refunds: _internal, ...shown } = record
  return shown
}

function presentEvent(event: WireEvent, publicUrl: string): WireEvent {
  return { ...event, data: { object: present(event.data.object, publicUrl) } }
}

function absolute(path: string | null, publicUrl: string): string | null {
  return path === null ? null : new URL(path, publicUrl).href
}
