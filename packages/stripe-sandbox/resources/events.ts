import { createdParam, listQuery, pageParams } from '../api/list-params.ts'
import { fields, text } from '../api/params.ts'
import { asList, route } from '../api/route.ts'

const retrieve = route('GET /v1/events/:id', fields({}), ({ store }, _params, id) =>
  store.retrieve('event', id),
)

const list = route(
  'GET /v1/events',
  fields({ ...pageParams, created: createdParam, type: text(100) }),
  async ({ store }, params) =>
    asList(await store.list('event', listQuery(params, { type: params.type })), '/v1/events'),
)

export const eventRoutes = [list, retrieve]
