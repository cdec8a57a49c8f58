import { openKeyFiles } from '#server/platform/keys/key-files.ts'
import { type KeySettings, mailedLinks, renewProcessKeys } from '#server/platform/keys/open-keys.ts'

/** Whether links in emails of before open their pages after a restore. */
export type LinksAfter = 'open' | 'end'

/**
 * Gives a restored shop new keys, so that what signed in to the shop of before opens nothing in this one. The key of
 * mailed links stays: the one in the data directory, else the one of a backup that still had it.
 */
export async function replaceKeys(
  settings: KeySettings,
  formerLinkKey: string | undefined,
): Promise<LinksAfter> {
  const files = openKeyFiles(settings.dataDirectory)
  const hasLinkKey = files.read(mailedLinks) !== undefined
  if (!hasLinkKey && formerLinkKey !== undefined) files.write(mailedLinks, formerLinkKey)
  await renewProcessKeys(settings)
  return hasLinkKey || formerLinkKey !== undefined ? 'open' : 'end'
}
