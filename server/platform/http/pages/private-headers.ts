/** Only who has the link gets to such a page: nothing of it is stored, listed or handed on. */
export const privateHeaders = {
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex, nofollow',
} as const
