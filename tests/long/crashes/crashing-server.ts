// The shop of `server/main.ts` in a process that kills itself, as a power cut would, at a chosen step of
// a chosen piece of work. A step is a statement sent to PostgreSQL or a call to the payment processor,
// and dying is possible before each and after those that change something for others: a commit, a call.
// Nothing in the shop knows of it: pg and the SDK are wrapped before they are imported by it.
//
//   a request with the header x-die-at: 7   dies at the seventh step of what this request sets off;
//                                           `x-die-at: after commit` at the first step of that name
//   DIE_AT=7 HURRY=reconcile-payments       runs that job all the time and dies at its seventh step
//   STEPS=path                              appends each step that was reached to this file, after the
//                                           number of the work that it is part of
import { AsyncLocalStorage } from 'node:async_hooks'
import { appendFileSync } from 'node:fs'
import { Server } from 'node:http'
import pg from 'pg'
import Stripe from 'stripe'

type Work = { readonly number: number; readonly dieAt: string; steps: number }

const {
  DIE_AT: crashJobAt = 'never',
  HURRY: hurriedJob,
  STEPS: stepsFile = '/dev/null',
} = process.env
/** The watched work that is going on here; undefined for everything else, and inside the processor. */
const watched = new AsyncLocalStorage<Work | undefined>()

function reach(step: string): void {
  const work = watched.getStore()
  if (!work) return
  work.steps += 1
  appendFileSync(stepsFile, `${work.number} ${step}\n`)
  if (work.dieAt === step || work.dieAt === String(work.steps)) process.kill(process.pid, 'SIGKILL')
}

let works = 0
function watch<Result>(dieAt: string, work: () => Result): Result {
  works += 1
  return watched.run({ number: works, dieAt, steps: 0 }, work)
}

/** From now on `around` decides what a method of `owner` does; `pass` is what it did before. */
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
  const dieAt = event === 'request' ? request?.headers?.['x-die-at'] : undefined
  return dieAt === undefined ? pass(event, ...values) : watch(dieAt, () => pass(event, ...values))
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
    // The processor works on the same database, but its steps are not ours.
    const result = await watched.run(undefined, () => stripeFetch(request))
    reach(`after ${request.method} ${path}`)
    return result
  })
})

// What the work leaves for later, as the mail that is sent after an answer, is no part of it.
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
