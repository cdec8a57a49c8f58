/**
 * Headers of pages that only the recipient of a link may see: they are not stored, not indexed, and send no referrer.
 */
export const privateHeaders = {
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex, nofollow',
} as const
