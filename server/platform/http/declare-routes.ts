import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Rights } from '#contracts/api/endpoint.ts'
import type { Limit, RateLimits } from './limits/rate-limits.ts'

/** A Fastify preHandler that either lets a request continue or responds to it. */
type Check = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>

/**
 * The rights and rate limits of a route. A single route declares them in its `config`; `declareRoutes` declares them
 * for all routes of a scope.
 */
export type RouteDeclaration = {
  /** The senders whose requests the route accepts, for example 'public', 'staff' or 'owner'. */
  readonly rights: Rights
  /**
   * The rate limits that a hook checks before the handler runs. 'in handler' means that the handler checks its limit
   * itself, because the limit depends on the content of the request or the refusal is a page. Without a limit, only the
   * flood limit (the limit on the requests of each client) applies.
   */
  readonly limit?: readonly Limit[] | 'in handler'
  /**
   * Whether the route requires step-up authentication: the team member must have confirmed the sign-in session
   * with a password or passkey in the last five minutes.
   */
  readonly stepUp?: true
}

export type DeclaredRoute = RouteDeclaration & { readonly method: string; readonly path: string }

/**
 * The rights that a hook checks before the handler runs. For all other rights, the handler itself checks a secret (the
 * token of a link, an access token of the REST API, or the signature of a webhook event), because the check needs the
 * record to which the secret belongs.
 */
export type RightsChecks = Readonly<
  Record<'own page' | 'staff' | 'admin' | 'owner' | 'step-up', Check>
>

declare module 'fastify' {
  interface FastifyContextConfig {
    rights?: RouteDeclaration['rights']
    limit?: RouteDeclaration['limit']
    stepUp?: RouteDeclaration['stepUp']
  }
  interface FastifyInstance {
    /**
     * All routes with their declarations, in the order of their registration. A HEAD route has the declaration of
     * its GET route.
     */
    declaredRoutes: readonly DeclaredRoute[]
    /** The rights and limit for the routes in this scope whose own `config` does not declare them. */
    routeDeclaration?: RouteDeclaration
  }
}

/** Declares rights and limit for the routes of a scope, for example for the routes that a package registers. */
export function declareRoutes(scope: FastifyInstance, declaration: RouteDeclaration): void {
  scope.decorate('routeDeclaration', declaration)
}

/**
 * Checks the rights and the step-up authentication that each route declares, and then counts the request toward the
 * declared limits. Applies to every route that is registered afterwards. A route without declared rights prevents the
 * start. The rights are checked first, so that a stranger cannot use up a limit of staff.
 */
export function enforceDeclarations(
  app: FastifyInstance,
  { checks, limits }: { readonly checks: RightsChecks; readonly limits: RateLimits },
): void {
  const rightsChecks: Readonly<Partial<Record<Rights, Check>>> = checks
  const added = ({ rights, limit, stepUp }: RouteDeclaration) =>
    [
      rightsChecks[rights],
      stepUp && checks['step-up'],
      typeof limit === 'object' ? limits.limit(...limit) : undefined,
    ].filter((check) => check !== undefined)
  const declared: DeclaredRoute[] = []
  app.decorate('declaredRoutes', declared)
  app.addHook('onRoute', function (route) {
    const { rights, limit, stepUp } = { ...this.routeDeclaration, ...route.config }
    if (rights === undefined) {
      throw new Error(`The route ${String(route.method)} ${route.url} declares no access rights.`)
    }
    const declaration = { rights, ...(limit && { limit }), ...(stepUp && { stepUp }) }
    route.config = { ...route.config, ...declaration }
    for (const method of [route.method].flat().filter((name) => name !== 'HEAD')) {
      declared.push({ method, path: route.url, ...declaration })
    }
    route.preHandler = [...added(declaration), ...[route.preHandler ?? []].flat()]
  })
}
