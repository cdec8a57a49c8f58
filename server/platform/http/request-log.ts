import { randomUUID } from 'node:crypto'
import { type FastifyInstance, type FastifyServerOptions, LogController } from 'fastify'
import pg from 'pg'

export type LogStream = { write(line: string): void }

type LogOptions = {
  readonly level: string
  /** The destination of log lines; standard output by default. */
  readonly stream?: LogStream | undefined
}

/**
 * Logs one JSON line for each request and for each failure. A line contains the id of the request and no personal data:
 * no query, body, header or network address, and no value that PostgreSQL quotes in an error.
 */
export function logOptions({ level, stream }: LogOptions): FastifyServerOptions {
  return {
    logger: {
      level,
      ...(stream ? { stream } : {}),
      base: null,
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (label: string) => ({ level: label }) },
      serializers: {
        req: (request) => ({ method: request.method, path: logPath(request.url ?? '') }),
        err: describeError,
      },
    },
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    requestIdHeader: false,
  }
}

/** Logs each response, and sends the visitor the id of the request. */
export function logRequests(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id)
  })
  app.addHook('onResponse', async (request, reply) => {
    request.log.info(
      {
        method: request.method,
        path: logPath(request.url),
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
      },
      'answered',
    )
  })
}

/** The length of a UUID in characters. A path segment that is longer is treated as a secret. */
const longestPart = 36

/**
 * Matches invoice links. Their secret tokens and codes are shorter than a UUID, so their length does not identify
 * them as secrets.
 */
const invoiceLink = /^\/i\/[^/]+/

/** Returns the path without its personal parts: email addresses, opaque tokens and long texts. */
export function logPath(url: string): string {
  const path = url
    .replace(/[?#].*$/s, '')
    .replace(invoiceLink, '/i/[…]')
    .slice(0, 200)
  return path
    .split('/')
    .map((part) => (/@|%40/i.test(part) || part.length > longestPart ? '[…]' : part))
    .join('/')
}

type LoggedError = { type: string; message: string; stack: string; [key: string]: unknown }

/**
 * `detail`, `where` and the parameters of a PostgreSQL error contain customer data, and so does the message of an
 * error in class 22 (data exceptions). The log contains only the SQLSTATE and the names of the table and constraint,
 * which are sufficient.
 */
function describeError(error: Error & { code?: unknown }): LoggedError {
  const code = typeof error.code === 'string' ? error.code : undefined
  const isData = error instanceof pg.DatabaseError && (code ?? '').startsWith('22')
  const message = isData ? 'a value was refused by PostgreSQL' : error.message
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line))
  const names = error instanceof pg.DatabaseError ? pickNames(error) : {}
  const cause = error.cause instanceof Error ? { cause: describeError(error.cause) } : {}
  return {
    type: error.name,
    message,
    ...(code ? { code } : {}),
    ...names,
    stack: frames.join('\n'),
    ...cause,
  }
}

function pickNames({ schema, table, column, constraint, routine }: pg.DatabaseError): object {
  return Object.fromEntries(
    Object.entries({ schema, table, column, constraint, routine }).filter(([, name]) => name),
  )
}
