import Stripe from 'stripe'
import type { Query } from '@local/postgres'
import type { CurrentAccount } from '../account.ts'
import { newId } from '../objects/new-id.ts'
import { openStore } from '../objects/object-store.ts'
import type { WireEvent } from '../objects/wire.ts'
import type { Call } from './route.ts'

/** Runs work in one database transaction: commits when the work resolves, rolls back when it throws. */
export type Transaction = <Result>(work: (query: Query) => Promise<Result>) => Promise<Result>

export type CallOptions = {
  /** The origin of the hosted pages, for example https://shop.example. */
  readonly publicUrl: string
  /** The current time in milliseconds since 1970. */
  readonly now: () => number
  readonly account: CurrentAccount
}

/**
 * Creates the context of one API request in a transaction. Every event that the request causes contains `request`: the
 * id and the idempotency key of the request.
 */
export function openCall(
  query: Query,
  options: CallOptions,
  request: WireEvent['request'] = { id: null, idempotency_key: null },
): Call {
  const milliseconds = options.now()
  const now = Math.floor(milliseconds / 1000)
  const store = openStore(query)
  return {
    store,
    now,
    account: options.account(),
    async emit(type, object) {
      const event: WireEvent = {
        id: newId('evt'),
        object: 'event',
        api_version: Stripe.API_VERSION,
        created: now,
        data: { object },
        livemode: false,
        pending_webhooks: 1,
        request,
        type,
      }
      await store.insert(event)
      await query(
        'insert into stripe_sandbox.event_deliveries (event_id, next_attempt_at) values ($1, $2)',
        [event.id, milliseconds],
      )
    },
  }
}
