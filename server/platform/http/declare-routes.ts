import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Rights } from '#contracts/api/endpoint.ts'
import type { Limit, RateLimits } from './limits/rate-limits.ts'

/** A preHandler that lets a request continue, or responds to it. */
type Check = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>

/** The declaration of a route in its `config`, or of its scope by `declareRoutes`. */
export type RouteDeclaration = {
  /** The senders that the route accepts. */
  readonly rights: Rights
  /**
   * The limits that a hook counts before the handler; 'in handler' where the handler counts, because the limit depends
   * on the content of the request or the refusal is a page. Without a limit only the flood limit applies.
   */
  readonly limit?: readonly Limit[] | 'in handler'
  /** Whether the team member must have confirmed the session with a password or passkey in the last five minutes. */
  readonly stepUp?: true
}

export type DeclaredRoute = RouteDeclaration & { readonly method: string; readonly path: string }

/**
 * The rights that a hook checks before the handler. With other rights, the handler itself checks the secret (the token
 * of a link, the access token of the data service, the signature of a webhook event), because it needs the record that
 * belongs to the secret.
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
     * All routes with their declarations, in the order of their registration; a HEAD route has the declaration of its
     * GET route.
     */
    declaredRoutes: readonly DeclaredRoute[]
    /** The default declaration for routes in this scope that do not declare rights or a limit themselves. */
    routeDeclaration?: RouteDeclaration
  }
}

/** Declares rights and limit for the routes of a scope, for example those of a package. */
export function declareRoutes(scope: FastifyInstance, declaration: RouteDeclaration): void {
  scope.decorate('routeDeclaration', declaration)
}

/**
 * Checks the declared rights and the step-up, and then counts the declared limit of every route that is registered afterwards. A route
 * without rights prevents the start. Rights come first, so that a stranger does not use up a limit of staff.
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
      throw new Error(`The route ${String(route.method)} ${route.url} declares no rights.`)
    }
    const declaration = { rights, ...(limit && { limit }), ...(stepUp && { stepUp }) }
    route.config = { ...route.config, ...declaration }
    for (const method of [route.method].flat().filter((name) => name !== 'HEAD')) {
      declared.push({ method, path: route.url, ...declaration })
    }
    route.preHandler = [...added(declaration), ...[route.preHandler ?? []].flat()]
  })
}
