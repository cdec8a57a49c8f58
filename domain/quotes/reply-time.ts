import { formatDuration } from '#domain/text/duration-text.ts'
import type { Shop } from '#domain/shop/shop.ts'

/** Within what time a quote request is answered: '24 hours'. */
export function replyTime({ quoteReplyHours }: Pick<Shop, 'quoteReplyHours'>): string {
  return formatDuration(quoteReplyHours * 60)
}
