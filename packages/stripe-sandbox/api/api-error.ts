/** The body under `error` of every refusal (docs.stripe.com/api/errors). */
export type ErrorBody = {
  type: 'api_error' | 'card_error' | 'idempotency_error' | 'invalid_request_error'
  message: string
  code?: string
  decline_code?: string
  param?: string
  charge?: string
  payment_intent?: unknown
}

/** A refusal of the API. What the request wrote is undone, unless `keepsWrites` (a declined card leaves its trace). */
export class ApiError extends Error {
  readonly status: number
  readonly body: ErrorBody
  readonly keepsWrites: boolean

  constructor(status: number, body: ErrorBody, keepsWrites = false) {
    super(body.message)
    this.status = status
    this.body = body
    this.keepsWrites = keepsWrites
  }
}

/** 400: the request is wrong, or the object is not in a state for it. */
export function invalidRequest(message: string, code?: string, param?: string): ApiError {
  return new ApiError(400, {
    type: 'invalid_request_error',
    message,
    ...(code === undefined ? {} : { code }),
    ...(param === undefined ? {} : { param }),
  })
}

/** 404 in the address of the request, 400 when a parameter names something that is not there. */
export function resourceMissing(label: string, id: string, param: string, status = 404): ApiError {
  return new ApiError(status, {
    type: 'invalid_request_error',
    code: 'resource_missing',
    message: `No such ${label}: '${id.slice(0, 100)}'`,
    param,
  })
}
