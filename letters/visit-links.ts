import type { Shop } from '#domain/shop.ts'
import { layOut } from './email-layout.ts'
import type { Confirmation } from './shop-email.ts'
import { visitFacts } from './visit-facts.ts'

/** An appointment to come, with its private page. */
export type LinkedVisit = {
  readonly id: string
  readonly serviceName: string
  /** 'yyyy-MM-dd' and 'HH:mm:ss', shop time. */
  readonly date: string
  readonly time: string
  readonly url: string
}

/**
 * The links of the appointments of a mailbox, for whoever reads it. Anybody may have asked for them: so it says when and
 * what, and nothing that was typed. `askedAt` (milliseconds) tells one answer from the next.
 */
export function writeVisitLinks(
  shop: Shop,
  email: string,
  visits: readonly [LinkedVisit, ...LinkedVisit[]],
  askedAt: number,
): Confirmation {
  const what = visits.length === 1 ? 'your visit' : `your ${visits.length} visits`
  return {
    kind: 'visit_links',
    dedupeKey: `visit-links:${visits[0].id}:${askedAt}`,
    to: { email, name: '' },
    ...layOut(shop, {
      subject: `The way to ${what} at ${shop.name}`,
      preview: 'See, change or cancel it on its own page.',
      heading: `The way to ${what}`,
      parts: [
        { kind: 'paragraph', text: 'Hello,' },
        {
          kind: 'paragraph',
          text: 'You asked for this on our website. Each visit has a page of its own; whoever has its link can change or cancel it.',
        },
        ...visits.flatMap((visit) => [
          visitFacts(shop, visit),
          { kind: 'button' as const, label: 'See or change this visit', url: visit.url },
        ]),
        { kind: 'paragraph', text: `Questions? Please call ${shop.phone.display}.` },
      ],
      reason:
        'You receive this message because somebody asked for the visits of this address. If it was not you, do nothing: only this mailbox got the links.',
    }),
    attachments: [],
  }
}
