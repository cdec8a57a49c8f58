// Runs `server/main.ts` in a process that kills itself, as in a power failure, at a given step of a request or a job.
// A step is a statement sent to PostgreSQL or a call to Stripe. The process can crash before each step, and after
// the steps that have effects outside of the process: a commit, a call. The shop's code is unchanged: this module wraps
// pg and the Stripe SDK before the shop imports them.
//
//   a request with the header x-die-at: 7   crashes at the seventh step of the work that the request starts;
//                                           `x-die-at: after commit` crashes at the first step of that name
//   DIE_AT=7 HURRY=reconcile-payments       runs the named job continuously and crashes at its seventh step
//   STEPS=path                              appends each step to this file, after the number of the request or job
import { AsyncLocalStorage } from 'node:async_hooks'
import { appendFileSync } from 'node:fs'
import { Server } from 'node:http'
import pg from 'pg'
import Stripe from 'stripe'

type Work = { readonly number: number; readonly crashAt: string; steps: number }

const {
  DIE_AT: crashJobAt = 'never',
  HURRY: hurriedJob,
  STEPS: stepsFile = '/dev/null',
} = process.env
/**
 * The request or job in which the current code runs and whose statements and calls to Stripe are counted; undefined
 * inside the Stripe sandbox, whose statements are not counted.
 */
const watched = new AsyncLocalStorage<Work | undefined>()

function reach(step: string): void {
  const work = watched.getStore()
  if (!work) return
  work.steps += 1
  appendFileSync(stepsFile, `${work.number} ${step}\n`)
  if (work.crashAt === step || work.crashAt === String(work.steps))
    process.kill(process.pid, 'SIGKILL')
}

let works = 0
function watch<Result>(crashAt: string, work: () => Result): Result {
  works += 1
  return watched.run({ number: works, crashAt, steps: 0 }, work)
}

/** Replaces a method of `owner` by `around`, which receives the original method as `pass`. */
function wrap(
  owner: object,
  name: string,
  around: (pass: (...values: unknown[]) => unknown, ...values: unknown[]) => unknown,
): void {
  const original = Reflect.get(owner, name) as (...values: unknown[]) => unknown
  Reflect.set(owner, name, function wrapped(this: unknown, ...values: unknown[]) {
    return around((...passed) => original.apply(this, passed), ...values)
  })
}

wrap(Server.prototype, 'emit', (pass, event, ...values) => {
  const [request] = values as [{ headers?: Record<string, string> }?]
  const crashAt = event === 'request' ? request?.headers?.['x-die-at'] : undefined
  return crashAt === undefined
    ? pass(event, ...values)
    : watch(crashAt, () => pass(event, ...values))
})

wrap(pg.Client.prototype, 'query', (pass, query, ...values) => {
  const text = textOf(query)
  reach(`before ${text}`)
  const result = pass(query, ...values)
  if (text !== 'commit' || !(result instanceof Promise)) return result
  return result.then((result: unknown) => {
    reach('after commit')
    return result
  })
})

wrap(Stripe, 'createFetchHttpClient', (pass, given) => {
  const stripeFetch = given as typeof fetch
  return pass(async (...args: Parameters<typeof fetch>) => {
    const request = new Request(...args)
    const path = new URL(request.url).pathname.replaceAll(/_\w{8,}/g, '_id')
    reach(`before ${request.method} ${path}`)
    // The Stripe sandbox uses the same database, but the test counts only the shop's statements as steps.
    const result = await watched.run(undefined, () => stripeFetch(request))
    reach(`after ${request.method} ${path}`)
    return result
  })
})

// Work that a timer starts later, such as sending an email after the response, does not count as steps of the request
// or job.
wrap(globalThis, 'setTimeout', (pass, ...values) => watched.exit(() => pass(...values)))

wrap(globalThis, 'setInterval', (pass, run, ms, ...values) => {
  const isHurried = (values[0] as { name?: string } | undefined)?.name === hurriedJob
  if (hurriedJob === undefined || !isHurried) return pass(run, ms, ...values)
  const work = run as (...values: unknown[]) => void
  return pass(() => watch(crashJobAt, () => work(...values)), 50)
})

function textOf(query: unknown): string {
  const text = typeof query === 'string' ? query : (query as { text?: unknown }).text
  return typeof text === 'string'
    ? text.replaceAll(/\s+/g, ' ').trim().slice(0, 60).trim()
    : 'a pipeline'
}

await import('#server/main.ts')
