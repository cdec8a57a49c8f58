import { randomUUID } from 'node:crypto'
import { type FastifyInstance, type FastifyServerOptions, LogController } from 'fastify'
import pg from 'pg'

export type LogStream = { write(line: string): void }

type LogOptions = {
  readonly level: string
  /** Where the lines go; standard output unless told otherwise. */
  readonly stream?: LogStream | undefined
}

/**
 * One JSON line for each request and for each failure. A line names the request's id, never who made
 * it: no query, no body, no header, no network address, no value that PostgreSQL quotes in an error.
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

/** Logs what was answered and gives the visitor the id to ask about. */
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

/** The longest part of our addresses that is no secret: a UUID. */
const longestPart = 36

/** The path alone, without what may be personal in it: e-mail addresses, opaque tokens, long texts. */
export function logPath(url: string): string {
  const path = url.replace(/[?#].*$/s, '').slice(0, 200)
  return path
    .split('/')
    .map((part) => (/@|%40/i.test(part) || part.length > longestPart ? '[…]' : part))
    .join('/')
}

type LoggedError = { type: string; message: string; stack: string; [key: string]: unknown }

/**
 * `detail`, `where` and the statement's parameters hold what customers typed, and in class 22 (data
 * exceptions) the message does too; the SQLSTATE and the names of table and constraint say enough.
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
