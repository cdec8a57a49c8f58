/** The value of `error` in every error response (docs.stripe.com/api/errors). */
export type ErrorBody = {
  type: 'api_error' | 'card_error' | 'idempotency_error' | 'invalid_request_error'
  message: string
  code?: string
  decline_code?: string
  param?: string
  charge?: string
  payment_intent?: unknown
}

/**
 * An error response of the API. The sandbox rolls back the writes of the request, unless `keepsWrites` is set: after a
 * declined card, the failed charge must remain stored.
 */
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

/** Returns an error with status 400: the request is invalid, or the state of the object does not allow the action. */
export function invalidRequest(message: string, code?: string, param?: string): ApiError {
  return new ApiError(400, {
    type: 'invalid_request_error',
    message,
    ...(code === undefined ? {} : { code }),
    ...(param === undefined ? {} : { param }),
  })
}

/**
 * Returns the error for an object that does not exist: status 404 when its id is in the path, 400 when its id is a
 * parameter.
 */
export function resourceMissing(label: string, id: string, param: string, status = 404): ApiError {
  return new ApiError(status, {
    type: 'invalid_request_error',
    code: 'resource_missing',
    message: `No such ${label}: '${id.slice(0, 100)}'`,
    param,
  })
}
