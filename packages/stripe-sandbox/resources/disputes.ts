import { createdParam, listQuery, pageParams } from '../api/list-params.ts'
import { fields, text } from '../api/params.ts'
import { asList, route } from '../api/route.ts'

const retrieve = route('GET /v1/disputes/:id', fields({}), ({ store }, _params, id) =>
  store.retrieve('dispute', id),
)

const list = route(
  'GET /v1/disputes',
  fields({ ...pageParams, charge: text(255), created: createdParam, payment_intent: text(255) }),
  async ({ store }, params) => {
    const matching = { charge: params.charge, payment_intent: params.payment_intent }
    return asList(await store.list('dispute', listQuery(params, matching)), '/v1/disputes')
  },
)

export const disputeRoutes = [list, retrieve]
