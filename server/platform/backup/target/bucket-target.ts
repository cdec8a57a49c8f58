import { createHash } from 'node:crypto'
import { AwsClient } from 'aws4fetch'
import type { S3Settings } from '#server/platform/backup/backup-settings.ts'
import { type StoredObject, type Target, TargetError, type TargetProblem } from './target.ts'

/** The timeout of a request in milliseconds; each 50 kB of the request's content adds a second. */
const baseTimeoutMs = 30_000
const bytesPerMs = 50

const timeoutMs = (content: Buffer | undefined) =>
  baseTimeoutMs + Math.ceil((content?.length ?? 0) / bytesPerMs)

/**
 * The number of times that a request is repeated after a response with the status 429, or with a status of 500 or
 * above.
 */
const retries = 3

/**
 * Opens a bucket of an S3-compatible service: `s3://bucket/prefix`. No object of the backup is larger than 32 MB, so
 * each object needs only one request.
 */
export function openBucketTarget(url: string, settings: S3Settings): Target {
  const bucket = new Bucket(url, settings)
  return {
    address: url,
    disk: () => Promise.resolve('bucket'),
    async put(name, content) {
      await bucket.send('PUT', name, { content })
    },
    async create(name, content) {
      // Looks for an existing object first, because some services ignore the header If-None-Match and would replace the
      // object.
      if (await bucket.read(name)) return false
      const headers = { 'if-none-match': '*' }
      const response = await bucket.send('PUT', name, { content, headers, accepted: [409, 412] })
      return response.ok
    },
    get: (name) => bucket.read(name),
    list: (prefix) => bucket.list(prefix),
    folders: (prefix) => bucket.folders(prefix),
    async remove(name) {
      await bucket.send('DELETE', name, { accepted: [404] })
    },
  }
}

type Sent = {
  readonly content?: Buffer
  readonly headers?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  /** The HTTP error statuses (such as 404) that count as success for this request. */
  readonly accepted?: readonly number[]
}

class Bucket {
  private readonly client: AwsClient
  private readonly root: string
  private readonly prefix: string

  constructor(url: string, settings: S3Settings) {
    const { accessKeyId = '', secretAccessKey = '', sessionToken, region } = settings
    const token = sessionToken === undefined ? {} : { sessionToken }
    this.client = new AwsClient({
      accessKeyId,
      secretAccessKey,
      ...token,
      region,
      service: 's3',
      retries,
    })
    const { hostname: bucket, pathname } = new URL(url)
    const folder = pathname.replaceAll(/^\/+|\/+$/g, '')
    this.prefix = folder === '' ? '' : `${folder}/`
    this.root = rootOf(bucket, settings)
  }

  async send(method: string, name: string, sent: Sent = {}): Promise<Response> {
    const { content, headers, query, accepted = [] } = sent
    const path = query
      ? `?${new URLSearchParams(query).toString()}`
      : `/${encodeURI(this.prefix + name)}`
    const response = await reach(() =>
      this.client.fetch(this.root + path, {
        method,
        ...(content && { body: new Uint8Array(content) }),
        headers: { ...headers, 'x-amz-content-sha256': sha256(content ?? Buffer.alloc(0)) },
        signal: AbortSignal.timeout(timeoutMs(content)),
      }),
    )
    if (response.ok || accepted.includes(response.status)) return response
    throw await toTargetError(response)
  }

  async read(name: string): Promise<Buffer | undefined> {
    const response = await this.send('GET', name, { accepted: [404] })
    const content = await reach(async () => Buffer.from(await response.arrayBuffer()))
    if (response.ok) return content
    if (content.includes('NoSuchBucket'))
      throw new TargetError('refused', 'The bucket does not exist.')
    return undefined
  }

  async list(prefix: string): Promise<readonly StoredObject[]> {
    const objects: StoredObject[] = []
    for await (const page of this.pages({ prefix: this.prefix + prefix })) {
      for (const [, entry = ''] of page.matchAll(/<Contents>(.*?)<\/Contents>/gs)) {
        const name = textOf(entry, 'Key').slice(this.prefix.length)
        objects.push({ name, bytes: Number(textOf(entry, 'Size')) })
      }
    }
    return objects.sort((a, b) => (a.name < b.name ? -1 : 1))
  }

  async folders(prefix: string): Promise<readonly string[]> {
    const folders: string[] = []
    const parent = this.prefix + prefix
    for await (const page of this.pages({ prefix: parent, delimiter: '/' })) {
      for (const [, entry = ''] of page.matchAll(/<CommonPrefixes>(.*?)<\/CommonPrefixes>/gs)) {
        folders.push(textOf(entry, 'Prefix').slice(parent.length, -1))
      }
    }
    return folders
  }

  private async *pages(query: Readonly<Record<string, string>>): AsyncGenerator<string> {
    let token: string | undefined = ''
    while (token !== undefined) {
      const next: Readonly<Record<string, string>> =
        token === '' ? {} : { 'continuation-token': token }
      const response = await this.send('GET', '', {
        query: { 'list-type': '2', ...query, ...next },
      })
      const page = await reach(() => response.text())
      yield page
      token = textOf(page, 'NextContinuationToken') || undefined
    }
  }
}

function rootOf(bucket: string, { endpoint, region, isPathStyle }: S3Settings): string {
  const service = new URL(endpoint ?? `https://s3.${region}.amazonaws.com`)
  if (isPathStyle) return `${service.origin}/${bucket}`
  return `${service.protocol}//${bucket}.${service.host}`
}

const sha256 = (content: Buffer) => createHash('sha256').update(content).digest('hex')

function textOf(xml: string, element: string): string {
  const [, text = ''] = new RegExp(`<${element}>([^<]*)</${element}>`).exec(xml) ?? []
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
}

/** Converts a failed connection to a `TargetError`, whose message contains neither the URL nor a key. */
async function reach<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    const { name, cause } = error as Error
    // When the connection fails, `fetch` throws a TypeError with the property `cause`.
    const isFailure = name === 'TimeoutError' || (name === 'TypeError' && cause !== undefined)
    if (!isFailure) throw error
    const code = (cause as NodeJS.ErrnoException | undefined)?.code ?? name
    throw new TargetError('unreachable', `The bucket does not respond (${code}).`)
  }
}

async function toTargetError(response: Response): Promise<TargetError> {
  const code = textOf(await reach(() => response.text()), 'Code')
  const message = `The bucket responded with status ${response.status}${code === '' ? '' : ` ${code}`}.`
  return new TargetError(problemOf(response.status, code), message)
}

function problemOf(status: number, code: string): TargetProblem {
  if (status === 507 || /quota|storagefull|insufficient/i.test(code)) return 'full'
  return status === 401 || status === 403 || code === 'NoSuchBucket' ? 'refused' : 'unreachable'
}
