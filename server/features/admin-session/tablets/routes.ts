import type { FastifyInstance, FastifyRequest } from 'fastify'
import { tabletEndpoints, type TabletState } from '#contracts/tablets.ts'
import { accepted, refused } from '#domain/result.ts'
import { isGoodPin } from '#domain/shop/pin.ts'
import { serve } from '#server/platform/http/serve-endpoint.ts'
import { createWorkQueue } from '#server/platform/queue/work-queue.ts'
import { findAdminSession } from '../admin-sessions.ts'
import { signedInAdmin } from '../passkeys/signed-in-admin.ts'
import { readSessionCookie } from '../session-cookie.ts'
import { presentLogIn } from '../sign-in/log-in.ts'
import { logOut } from '../sign-in/log-out.ts'
import { openTablet, type TabletDependencies } from './open-tablet.ts'
import { clearPin, storePin } from './pins.ts'
import { readTabletCookie, setTabletCookie } from './tablet-cookie.ts'
import { recordTouch } from './tablet-sessions.ts'
import { enrollTablet, findTablet, listMembers, listTablets, revokeTablet } from './tablets.ts'

type Dependencies = Omit<TabletDependencies, 'pinQueue'>

const ownLimit = [{ name: 'tablets', max: 60, windowSeconds: 60 }]
/**
 * The rate limit of requests for the state of a tablet: the tablets of a shop share one IP address, and each tablet
 * sends a request every four seconds.
 */
const tabletLimit = [{ name: 'tablet', max: 240, windowSeconds: 60 }]
const openLimit = [{ name: 'tablet-open', max: 60, windowSeconds: 60 }]

/** The server checks PINs one at a time, like passwords, because each check occupies a core. */
const pinQueueLimits = { atOnce: 1, waiting: 16, timeoutMs: 10_000 }

/** Routes of the shared tablets (docs/product.md 6.14). */
export function registerTablets(app: FastifyInstance, dependencies: Dependencies): void {
  registerForOwners(app, dependencies)
  registerPins(app, dependencies)
  registerAtTablet(app, { ...dependencies, pinQueue: createWorkQueue(pinQueueLimits) })
}

function registerForOwners(app: FastifyInstance, dependencies: Dependencies): void {
  const { database, publicUrl } = dependencies
  serve(app, tabletEndpoints.list).with({
    limit: ownLimit,
    handle: async () => accepted(await listTablets(database)),
    present: (tablets) => ({ ok: true, tablets }),
  })
  serve(app, tabletEndpoints.enroll).with({
    limit: ownLimit,
    invalid: { code: 'BAD_REQUEST' },
    async handle({ name }, { request, reply }) {
      const admin = await signedInAdmin(dependencies, request)
      if (!admin.ok) return admin
      const tablet = { name, enrolledBy: admin.value.userId }
      const token = await enrollTablet(database, tablet, readTabletCookie(request) ?? '')
      setTabletCookie(reply, token, publicUrl)
      await logOut(dependencies, request, reply)
      return accepted(undefined)
    },
    present: () => ({ ok: true }),
  })
  serve(app, tabletEndpoints.revoke).with({
    limit: ownLimit,
    invalid: { code: 'BAD_REQUEST' },
    async handle({ id }, { request }) {
      const admin = await signedInAdmin(dependencies, request)
      return admin.ok ? accepted(await revokeTablet(database, id, admin.value.userId)) : admin
    },
    present: () => ({ ok: true }),
  })
}

function registerPins(app: FastifyInstance, dependencies: Dependencies): void {
  const { database, auth } = dependencies
  serve(app, tabletEndpoints.setPin).with({
    limit: ownLimit,
    invalid: { code: 'BAD_REQUEST' },
    async handle({ pin }, { request }) {
      const admin = await signedInAdmin(dependencies, request)
      if (!admin.ok) return admin
      if (!isGoodPin(pin)) return refused({ code: 'WEAK_PIN' } as const)
      await storePin(database, admin.value.userId, await auth.passwords.hash(pin))
      return accepted(undefined)
    },
    present: () => ({ ok: true }),
  })
  serve(app, tabletEndpoints.clearPin).with({
    limit: ownLimit,
    invalid: { code: 'BAD_REQUEST' },
    async handle({ id }, { request }) {
      const admin = await signedInAdmin(dependencies, request)
      return admin.ok ? accepted(await clearPin(database, id, admin.value.userId)) : admin
    },
    present: () => ({ ok: true }),
  })
}

function registerAtTablet(app: FastifyInstance, dependencies: TabletDependencies): void {
  const { database } = dependencies
  serve(app, tabletEndpoints.read).with({
    limit: tabletLimit,
    handle: async (_input, { request }) => accepted(await readState(dependencies, request)),
    present: (state) => ({ ok: true, ...state }),
  })
  serve(app, tabletEndpoints.open).with({
    limit: openLimit,
    invalid: { code: 'BAD_REQUEST' },
    handle: (typed, call) => openTablet(dependencies, typed, call),
    present: presentLogIn,
  })
  serve(app, tabletEndpoints.touch).with({
    limit: tabletLimit,
    handle: async (_input, { request }) =>
      accepted(await recordTouch(database, readSessionCookie(request) ?? '')),
    present: () => ({ ok: true }),
  })
}

/** The response for a locked or revoked tablet contains no names of team members. */
async function readState(
  { database }: TabletDependencies,
  request: FastifyRequest,
): Promise<TabletState> {
  const token = readTabletCookie(request)
  if (token === undefined) return { state: 'none', name: '', members: [], openedBy: null }
  const tablet = await findTablet(database, token)
  if (!tablet || tablet.state === 'revoked') {
    return { state: 'revoked', name: '', members: [], openedBy: null }
  }
  const { name, state } = tablet
  if (state === 'locked') return { state, name, members: [], openedBy: null }
  const session = await findAdminSession(database, readSessionCookie(request) ?? '')
  const openedBy = session?.isAtTablet === true ? session.name : null
  return { state, name, members: await listMembers(database), openedBy }
}
