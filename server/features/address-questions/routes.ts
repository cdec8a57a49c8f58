import type { FastifyInstance } from 'fastify'
import type { AddressQuestion } from '#contracts/api/customer-pages.ts'
import {
  createLinkPages,
  type LinkPageContext,
  sendPage,
} from '#server/features/visit-page/link-pages.ts'
import { type Database, rowsAs } from '@local/postgres'
import { asServer } from '#server/platform/database/identities.ts'
import { declareRoutes } from '#server/platform/http/declare-routes.ts'
import { acceptFormBodies } from '#server/platform/http/pages/form-bodies.ts'
import type { OpenAddressToken } from './address-tokens.ts'

type Serving = LinkPageContext & {
  readonly database: Database
  readonly bookingIdOf: OpenAddressToken
}

const { actionHandler, pageHandler } = createLinkPages<Serving, AddressQuestion>({
  name: 'address',
  root: '/address',
  idOf: ({ bookingIdOf }, token) => bookingIdOf(token),
  read: readQuestion,
})

/**
 * Serves /address/<token>, where a customer confirms that the email address of an online booking is theirs
 * (docs/product.md 16.11). GET changes nothing, because mail scanners open every link. The button of the page sends
 * a POST, and only the first POST has an effect.
 */
export async function registerAddressQuestions(app: FastifyInstance, serving: Serving) {
  await app.register(async (pages) => {
    acceptFormBodies(pages, 1_024)
    declareRoutes(pages, { rights: 'link', limit: 'in handler' })
    pages.get(
      '/address/:token',
      pageHandler(serving, (question, { path, reply }) =>
        sendPage(serving, reply, { name: 'address', question, path }),
      ),
    )
    // A browser that reloads the page after a form submission may send a GET request to the URL of the form. This route
    // redirects the request to the page with the form.
    pages.get(
      '/address/:token/confirm',
      pageHandler(serving, (_question, { path, reply }) => reply.redirect(path, 303)),
    )
    pages.post(
      '/address/:token/confirm',
      actionHandler(serving, async ({ id, path, reply }) => {
        await serving.database.transaction(asServer, (query) =>
          query('select internal.answer_address_question($1) as outcome', [id]),
        )
        return reply.redirect(path, 303)
      }),
    )
  })
}

async function readQuestion({ database }: Serving, bookingId: string) {
  const [row] = rowsAs<{ question: AddressQuestion | null }>(
    await database.transaction(asServer, (query) =>
      query('select internal.read_address_question($1) as question', [bookingId]),
    ),
  )
  return row?.question ?? undefined
}
