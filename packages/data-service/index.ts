/**
 * The protocol of a Supabase backend for Fastify applications: the data API of PostgREST, the auth service, and server
 * functions. README.md describes what the package serves.
 */

// Exports of the data API.
export { registerRest } from './rest/register-rest.ts'
export type { Authenticate } from './rest/caller.ts'

// Exports of the auth service: its HTTP protocol, and the same operations as functions.
export { type AuthLimits, registerAuth } from './auth/routes.ts'
export { bearerOf, createAuthenticate } from './auth/authenticate.ts'
export { asAuth, type AuthContext, openAuth } from './auth/auth-context.ts'
export { busyRetrySeconds, type PasswordQueue, signIn } from './auth/sign-in.ts'
export { startSession, sweepSessions } from './auth/sessions.ts'
export { createUser, deleteUser, setPassword } from './auth/manage-users.ts'
export { findUser, findUserByEmail, isBanned, normalizeEmail, type User } from './auth/users.ts'
export { createPasswords, deriveKey, type Passwords } from './auth/passwords.ts'
export { importJwtKey, signJwt } from './auth/jwt.ts'

// Exports for server functions.
export { mountFunctions, type ServerFunction } from './mount-functions.ts'
