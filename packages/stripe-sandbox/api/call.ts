import Stripe from 'stripe'
import type { CurrentShop } from '#domain/shop/shop.ts'
import type { Query } from '@local/postgres'
import { newId } from '../objects/new-id.ts'
import { openStore } from '../objects/object-store.ts'
import type { WireEvent } from '../objects/wire.ts'
import type { Call } from './route.ts'

export type CallOptions = {
  /** Where the site is reached, for example https://shop.example. */
  readonly publicUrl: string
  /** Milliseconds since 1970. */
  readonly now: () => number
  readonly currentShop: CurrentShop
}

/** Opens what a request works with on a transaction. `request` is noted on the events it causes. */
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
    accountName: options.currentShop().name,
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
