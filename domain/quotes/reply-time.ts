import { formatDuration } from '#domain/text/duration-text.ts'
import type { Shop } from '#domain/shop/shop.ts'

/** The time within which the shop promises to reply to a quote request: '24 hours'. */
export function replyTime({ quoteReplyHours }: Pick<Shop, 'quoteReplyHours'>): string {
  return formatDuration(quoteReplyHours * 60)
}
