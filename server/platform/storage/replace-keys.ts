import { openKeyFiles } from '#server/platform/keys/key-files.ts'
import { type KeySettings, mailedLinks, renewProcessKeys } from '#server/platform/keys/open-keys.ts'

/** Whether links in earlier emails still open their pages after a restore. */
export type LinksAfter = 'open' | 'end'

/**
 * Creates new keys for a restored shop, so that earlier sessions and tokens are invalid in it. The key of mailed links
 * does not change: it is the key in the data directory, otherwise the key in a backup of an earlier version, which
 * still contains it.
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
