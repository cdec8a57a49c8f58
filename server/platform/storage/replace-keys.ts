import { openKeyFiles } from '#server/platform/keys/key-files.ts'
import { type KeySettings, mailedLinks, renewProcessKeys } from '#server/platform/keys/open-keys.ts'

/** Whether links in earlier emails still open their pages after a restore ('open') or no longer do ('end'). */
export type LinksAfter = 'open' | 'end'

/**
 * Creates new keys for a restored shop, so that earlier sign-in sessions and tokens become invalid. The key that signs
 * mailed links does not change: it comes from the data directory, or otherwise from a backup that an earlier version of
 * the site made and that still contains the key.
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
