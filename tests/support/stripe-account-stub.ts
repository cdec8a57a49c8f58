import { randomUUID } from 'node:crypto'

type Webhook = {
  readonly id: string
  readonly url: string
  readonly secret: string
  readonly events: readonly string[]
  readonly key: string
  disabled: boolean
}

/** How the stub responds to a call: 'unknown' and 'restricted' refuse the API key, 'unreachable' sends no response. */
type Mood = 'takes' | 'unknown' | 'restricted' | 'unreachable' | 'fails'

export type StripeAccountStub = {
  readonly fetch: typeof fetch
  readonly webhooks: Webhook[]
  /** The method and path of each call to the stub. */
  readonly calls: string[]
  setMood(mood: Mood): void
  /** Makes each call to the stub wait until the returned function is called. */
  pause(): () => void
}

/**
 * Creates a stand-in for the part of Stripe that connects an account: the account itself, empty lists, and webhook
 * endpoints.
 */
export function createStripeAccountStub(): StripeAccountStub {
  const webhooks: Webhook[] = []
  const calls: string[] = []
  let mood: Mood = 'takes'
  let paused: Promise<void> = Promise.resolve()

  const answer = async (request: Request): Promise<Response> => {
    const { pathname } = new URL(request.url)
    calls.push(`${request.method} ${pathname}`)
    const key = (request.headers.get('authorization') ?? '').replace('Bearer ', '')
    await paused
    if (mood === 'unreachable') throw new TypeError('fetch failed')
    if (mood === 'unknown') return refuse(401, 'invalid_request_error', `Invalid API Key: ${key}`)
    if (mood === 'restricted') return refuse(403, 'invalid_request_error', 'Not permitted')
    if (mood === 'fails') return refuse(500, 'api_error', 'Something is wrong')
    if (pathname === '/v1/account') return Response.json(account(key))
    if (!pathname.startsWith('/v1/webhook_endpoints')) return Response.json(emptyList(pathname))
    const form = new URLSearchParams(await request.text())
    const [, , , id] = pathname.split('/')
    const existing = webhooks.find((webhook) => webhook.id === id)
    if (!existing) return Response.json(add(form, key))
    existing.disabled = form.get('disabled') === 'true'
    return Response.json({ id, object: 'webhook_endpoint' })
  }
  const add = (form: URLSearchParams, key: string) => {
    const webhook = {
      id: `we_${randomUUID().replaceAll('-', '')}`,
      url: form.get('url') ?? '',
      secret: `whsec_${randomUUID()}`,
      events: [...form]
        .filter(([name]) => name.startsWith('enabled_events'))
        .map(([, type]) => type),
      key,
      disabled: false,
    }
    webhooks.push(webhook)
    return { ...webhook, object: 'webhook_endpoint' }
  }
  return {
    fetch: (input, init) => answer(new Request(input, init)),
    webhooks,
    calls,
    setMood: (next) => {
      mood = next
    },
    pause() {
      let resume = () => {}
      paused = new Promise((resolve) => {
        resume = resolve
      })
      return resume
    },
  }
}

const account = (key: string) => ({
  id: `acct_${key.slice(-4)}`,
  object: 'account',
  business_profile: { name: `Cedar Motors ${key.slice(-1)}` },
})

const emptyList = (url: string) => ({ object: 'list', data: [], has_more: false, url })

const refuse = (status: number, type: string, message: string) =>
  Response.json({ error: { type, message } }, { status })
