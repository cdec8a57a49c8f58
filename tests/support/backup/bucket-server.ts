import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import aws4 from 'aws4'
import { startFauxqs } from 'fauxqs'
import type { S3Settings } from '#server/platform/backup/backup-settings.ts'

/** Returns the failure that the proxy simulates for a request; undefined for a request without a simulated failure. */
type Fault = (
  request: IncomingMessage,
) => 'unavailable' | 'quota exceeded' | 'truncated' | 'changed' | undefined

export type BucketServer = {
  readonly settings: S3Settings
  readonly url: string
  fault: Fault
  close(): Promise<void>
}

const credentials = { accessKeyId: 'shop', secretAccessKey: 'a secret of the bucket' }
const region = 'us-east-1'

/**
 * Starts an S3-compatible server with the empty bucket `shop`, behind a proxy. The proxy simulates failures. The proxy
 * also checks signatures and checksums, because the server does not check them.
 */
export async function startBucketServer(): Promise<BucketServer> {
  const server = await startFauxqs({ port: 0, host: '127.0.0.1', logger: false })
  server.createBucket('shop')
  const bucket = { fault: (() => undefined) as Fault }
  const proxy = createServer((incoming, outgoing) =>
    respond(bucket.fault(incoming), incoming, outgoing, server.port),
  ).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const endpoint = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
  return Object.assign(bucket, {
    url: 's3://shop/backups',
    settings: { endpoint, region, isPathStyle: true, sessionToken: undefined, ...credentials },
    async close() {
      proxy.closeAllConnections()
      proxy.close()
      await server.stop()
    },
  })
}

function respond(
  fault: ReturnType<Fault>,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  port: number,
): void {
  const chunks: Buffer[] = []
  incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
  incoming.on('end', () => {
    const body = Buffer.concat(chunks)
    if (fault === 'changed') body[0] = (body[0] ?? 0) ^ 1
    const error = errorOf(fault, incoming, body)
    if (!error) return forward(fault, incoming, outgoing, { port, body })
    outgoing.writeHead(error[0]).end(`<Error><Code>${error[1]}</Code></Error>`)
  })
}

function errorOf(
  fault: ReturnType<Fault>,
  incoming: IncomingMessage,
  body: Buffer,
): [status: number, code: string] | undefined {
  if (fault === 'unavailable') return [503, 'SlowDown']
  if (fault === 'quota exceeded') return [400, 'QuotaExceeded']
  if (!isSigned(incoming)) return [403, 'SignatureDoesNotMatch']
  const checksum = createHash('sha256').update(body).digest('hex')
  const stated = incoming.headers['x-amz-content-sha256']
  return checksum === stated ? undefined : [400, 'XAmzContentSHA256Mismatch']
}

/** Signs the received request again and compares the signatures. */
function isSigned({ method = '', url = '', headers }: IncomingMessage): boolean {
  const stated = headers.authorization ?? ''
  const names = /SignedHeaders=([^,]+)/.exec(stated)?.[1]?.split(';') ?? []
  const signed = Object.fromEntries(names.map((name) => [name, headers[name] ?? '']))
  const again = aws4.sign(
    { service: 's3', region, method, path: url, headers: signed },
    credentials,
  )
  return (
    String(again.headers?.['Authorization']).replaceAll(', ', ',') === stated.replaceAll(', ', ',')
  )
}

function forward(
  fault: ReturnType<Fault>,
  { method, url: path, headers }: IncomingMessage,
  outgoing: ServerResponse,
  { port, body }: { port: number; body: Buffer },
): void {
  const options = { port, host: '127.0.0.1', method, path, headers }
  const forwarded = request(options, (answer) => {
    outgoing.writeHead(answer.statusCode ?? 500, answer.headers)
    if (fault !== 'truncated') return void answer.pipe(outgoing)
    answer.once('data', (chunk: Buffer) => {
      outgoing.write(chunk.subarray(0, -1))
      outgoing.destroy()
    })
  })
  forwarded.end(body)
}
