import type { CurrentShop } from '#domain/shop/shop.ts'
import { type EmailContent, layOutEmail } from '#emails/layout/email-layout.ts'
import type { ShopEmail } from '#emails/layout/shop-email.ts'

/**
 * The recipient of notices to the owner: the shop's email address for bookings, unless another email address is
 * configured.
 */
export type Owner = {
  readonly currentShop: CurrentShop
  readonly ownerEmail: string | undefined
}

/**
 * An email that notifies the owner of an event. The shop may combine several notices into one email; `ownerNotice` is
 * the line about this notice in the combined email (docs/product.md 10.9).
 */
export type OwnerNotice = ShopEmail & { readonly ownerNotice: string }

type Notice = EmailContent & {
  /** Identifies the cause of the notice; the shop sends one notice for each cause. */
  readonly key: string
  /**
   * The line in the combined email: a description without personal data. For details, the email refers to the
   * dashboard.
   */
  readonly line: string
  readonly invoiceId?: string | null
  readonly estimateId?: string | null
}

export function writeOwnerNotice(owner: Owner, notice: Notice): OwnerNotice {
  const { key, line, invoiceId, estimateId, ...content } = notice
  return {
    ...toOwner(owner, key, content),
    ownerNotice: line,
    ...(invoiceId !== undefined && { invoiceId }),
    ...(estimateId !== undefined && { estimateId }),
  }
}

/** The maximum number of notices in the combined email, because nobody would read a longer list. */
const mostLines = 50

/** Writes one email with all notices since the last email to the owner, one line for each. */
export function writeCollectedNotices(
  owner: Owner,
  [first, ...others]: readonly [string, ...string[]],
  key: string,
): ShopEmail {
  const lines = [first, ...others]
  const subject = lines.length === 1 ? first : `${lines.length} notices from your shop`
  const more = lines.length - mostLines
  return toOwner(owner, key, {
    subject,
    preview: first,
    heading: subject,
    parts: [
      { kind: 'letter', text: lines.slice(0, mostLines).join('\n') },
      ...(more > 0 ? [{ kind: 'paragraph' as const, text: `And ${more} more.` }] : []),
      { kind: 'paragraph', text: 'See the dashboard for details.' },
    ],
    reason:
      "You're receiving this email as the owner of the shop. Further notices of the next ten minutes arrive in one email.",
  })
}

function toOwner(
  { currentShop, ownerEmail }: Owner,
  dedupeKey: string,
  content: EmailContent,
): ShopEmail {
  const shop = currentShop()
  return {
    kind: 'owner_notice',
    dedupeKey,
    to: { email: ownerEmail ?? shop.bookingEmail, name: shop.name },
    ...layOutEmail(shop, content),
    attachments: [],
  }
}
