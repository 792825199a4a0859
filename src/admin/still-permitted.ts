import { GraphQLError } from 'graphql'

import type { AuditTarget } from '../audit/log.ts'
import { forbidden } from './builder.ts'
import type { AdminContext } from './context.ts'
import { type ActFailure, storeUnavailable } from './failures.ts'
import { type Role, isAtLeast } from './roles.ts'

/** An act that is about to begin. */
interface BeginningAct {
  /** The field of `Mutation`. */
  readonly name: string
  /** The least role that may perform the act. */
  readonly role: Role
  readonly action: string
  readonly target: AuditTarget
}

/**
 * The context of an act, with its principal as of now: the acts before it in its operation may have taken seconds.
 * Throws `GraphQLError` for a token or session that has ended, or has no longer the role, and records the refusal.
 */
export async function actingNow(
  context: AdminContext,
  { name, role, action, target }: BeginningAct,
): Promise<AdminContext | ActFailure> {
  const { authState, address, agent, requestId, services } = context
  const now = await authState()
  if (now === 'unknown') return storeUnavailable()
  if (now !== 'over' && isAtLeast(now.role, role)) return { ...context, principal: now }
  const { kind, id, role: left } = now === 'over' ? context.principal : now
  await services.deniedActs.note({
    kind: 'act',
    actor: { kind, id, role: left },
    address,
    agent,
    requestId,
    action,
    target,
    message: now === 'over' ? hasEnded : `The role ${left} does not permit it.`,
  })
  throw now === 'over' ? ended() : forbidden(left, name)
}

/** The error of a query whose token or session ends or loses its role meanwhile; `undefined` while it has both. */
export async function errorOfAuthState({
  principal,
  authState,
}: Pick<AdminContext, 'principal' | 'authState'>): Promise<GraphQLError | undefined> {
  const now = await authState()
  if (now === 'over') return ended()
  // A store that is away cannot say that it is over.
  if (now === 'unknown' || isAtLeast(now.role, principal.role)) return undefined
  return new GraphQLError(`The role is now ${now.role}: ask again for what it permits.`, {
    extensions: { code: 'FORBIDDEN', http: { status: 403 } },
  })
}

const hasEnded = 'The token or session has ended.'

function ended(): GraphQLError {
  return new GraphQLError(hasEnded, {
    extensions: { code: 'UNAUTHENTICATED', http: { status: 401 } },
  })
}
