import { createHmac, timingSafeEqual } from 'node:crypto'

const idBytes = 16
/** 128 bits: nobody guesses one. */
const signatureBytes = 16
const nilId = '00000000-0000-0000-0000-000000000000'

/** The key of mailed links, and which version of a record's link is good now: undefined when there is no such record. */
export type LinkNow = { readonly key: string; readonly version: number | undefined }

export type LinkRow = { readonly key: string | null; readonly version: number | null }

/** A link as the database knows it. Without the key of links no version is good. */
export function linkNow(row: LinkRow | undefined): LinkNow {
  return { key: row?.key ?? '', version: row?.key ? (row.version ?? undefined) : undefined }
}

type Signing = {
  /** What is signed, as the database signs it too. */
  readonly textOf: (id: string, version: number) => string
  /** Read for each token, so that a new key or version counts at once in every process. */
  readonly findLink: (id: string) => Promise<LinkNow>
}

/**
 * Opens tokens of private links: a record's id and its HMAC with the version of its link, nothing else grants anything.
 * The answer is the id; undefined for whatever we did not sign, or what a newer link replaced. Every token takes the same
 * way, one read and one comparison, so that the time of an answer does not tell a guess from a link that was good once.
 */
export function createLinkTokens({ textOf, findLink }: Signing) {
  const tokenFor = (key: string, id: string, version: number) => {
    const signature = createHmac('sha256', key).update(textOf(id, version)).digest()
    const idPart = Buffer.from(id.replaceAll('-', ''), 'hex')
    return Buffer.concat([idPart, signature.subarray(0, signatureBytes)]).toString('base64url')
  }
  return async (token: string): Promise<string | undefined> => {
    const isWhole = /^[\w-]{43}$/.test(token)
    const given = isWhole ? token : tokenFor('', nilId, 0)
    const id = toUuid(Buffer.from(given, 'base64url').subarray(0, idBytes))
    const { key, version } = await findLink(id)
    const expected = tokenFor(key, id, version ?? 0)
    const isSame = timingSafeEqual(Buffer.from(expected), Buffer.from(given))
    return isSame && isWhole && version !== undefined ? id : undefined
  }
}

function toUuid(id: Buffer): string {
  return id.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
