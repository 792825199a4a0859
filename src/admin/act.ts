import type { InputRef, ObjectRef } from '@pothos/core'
import { GraphQLError } from 'graphql'

import { GatewayError } from '../contract/errors.ts'
import { computedOnce } from '../lib/computed-once.ts'
import { describeError } from '../lib/log.ts'
import { StoreUnavailable } from '../stores/store.ts'
import type { AuditTarget } from '../audit/log.ts'
import type { AdminBuilder, AdminBuilderTypes } from './builder.ts'
import { type AdminContext, describeActor } from './context.ts'
import { noteUnrecorded } from './incomplete.ts'
import { type ActFailure, conflict, invalid, isFailure, storeUnavailable } from './failures.ts'
import type { AuditedField } from './denied-field.ts'
import type { Role } from './roles.ts'
import { actingNow } from './still-permitted.ts'

/** The changed fields of an act, for its audit record. Secrets as `changed`. */
interface ActChanges {
  readonly before?: Readonly<Record<string, unknown>>
  readonly after?: Readonly<Record<string, unknown>>
}

/** A mutation: an act of an administrator, with one audit record. */
export interface ActDefinition<Input extends object, Success extends object> {
  /** The field of `Mutation`, such as `disableAccount`. Its union is `DisableAccountResult`. */
  readonly name: string
  readonly description: string
  /** The least role that may do it. */
  readonly role: Role
  /** The noun and the verb of the audit record: `account.disable`. */
  readonly action: string
  readonly input: InputRef<Input>
  /**
   * The object `DisableAccountSuccess`. Its fields that are objects are nullable: a field of theirs that fails
   * must not take what only this answer has.
   */
  readonly success: ObjectRef<AdminBuilderTypes, Success>
  readonly target: (input: Input) => AuditTarget
  /** Why the operator does it. Default: the member `reason` of the input. A blank one is invalid. */
  readonly reason?: (input: Input) => string | undefined
  /**
   * The failure of one who may do it, but not to this target. It is recorded as a denied act. Default: the role
   * decides alone.
   */
  readonly deny?: (input: Input, context: AdminContext) => ActFailure | undefined
  /**
   * Does it. Rejections with `StoreUnavailable` and `GatewayError` become failures; every other one is a
   * defect.
   */
  readonly run: (input: Input, context: AdminContext) => Promise<ActResult<Success>>
}

/** The acts of a schema, each with the least role that may do it. */
export const actsOf = computedOnce((_builder: AdminBuilder) => new Map<string, Role>())

/** An act writes to the store and may call an account: one operation has few of them. */
const costOfAct = 50

/** The result of an act: the changed record, or the failure. */
export type ActResult<Success> =
  | ActFailure
  | { readonly done: Success; readonly changes?: ActChanges }

/**
 * Adds a mutation to the schema. Its audit record is written before the act and once more with the
 * result; an act without a record does not happen. One that is done is answered as done, also if the
 * store does not take the result.
 */
export function addAct<Input extends object, Success extends object>(
  builder: AdminBuilder,
  act: ActDefinition<Input, Success>,
): void {
  const { name, description, role, input, success } = act
  actsOf(builder).set(name, role)
  const target = (args: unknown) => act.target((args as { input: Input }).input)
  const union = builder.unionType(`${name[0]!.toUpperCase()}${name.slice(1)}Result`, {
    types: [success, 'NotFound', 'Conflict', 'ManagedByFile', 'Invalid', 'StoreUnavailable'],
    resolveType: (value) => (isFailure(value) ? value.failure : success.name),
  })
  builder.mutationField(name, (t) =>
    t.field({
      type: union,
      // An act that is refused or fails must not take the answers of the acts beside it, such as a secret.
      nullable: true,
      description,
      authScopes: { [role]: true },
      complexity: costOfAct,
      args: { input: t.arg({ type: input, required: true }) },
      extensions: { audit: new ActField(act.action, target, role) },
      // TypeScript cannot evaluate Pothos' types for a generic input.
      resolve: ((_root: unknown, args: { input: Input }, context: AdminContext) =>
        perform(act, args.input, context)) as never,
    }),
  )
}

/** The extension of a field that `addAct` has made: its resolver writes the audit records. */
class ActField implements AuditedField {
  readonly action: string
  readonly target: AuditedField['target']
  readonly role: Role

  constructor(action: string, target: AuditedField['target'], role: Role) {
    this.action = action
    this.target = target
    this.role = role
  }
}

/** The least role that may do the act of a field, by the `audit` of its extensions; `undefined`: it is no act. */
export function roleOfAct(audit: unknown): Role | undefined {
  return audit instanceof ActField ? audit.role : undefined
}

/** Whether `addAct` has made a field, by the `audit` of its extensions. */
export function isOfAct(audit: unknown): boolean {
  return audit instanceof ActField
}

async function perform<Input extends object, Success extends object>(
  act: ActDefinition<Input, Success>,
  input: Input,
  began: AdminContext,
): Promise<ActFailure | Success> {
  const { name, role, action, reason, run } = act
  const target = act.target(input)
  const context = await actingNow(began, { name, role, action, target })
  if (isFailure(context)) return context
  const record = { ...describeActor(context), action, target }
  const denied = act.deny?.(input, context) ?? denyIfTooManyActs(context)
  if (denied) {
    await context.services.deniedActs.note({ kind: 'act', ...record, message: denied.message })
    return denied
  }
  const why = reason ? reason(input) : reasonIn(input)
  let end
  try {
    end = await context.services.actRecords.begin({
      ...record,
      ...(why !== undefined && { reason: why }),
    })
  } catch (error) {
    return failureOf(error)
  }
  const result = await (why?.trim() === '' ? blankReason : run(input, context))
    .catch((error: unknown) => failureOf(error, maybeDone))
    .catch(async (defect: unknown) => {
      // The failure of the act matters more than the failure of its record.
      await end({ result: 'FAILED', message: messageOf(defect) }, false).catch(() => {})
      throw defect
    })
  const isDone = !isFailure(result)
  if (isDone || !misses.has(result.failure)) context.services.actRates.found(context.principal)
  const { changes = {} } = isDone ? result : {}
  try {
    const changedNothing = !isDone && result.failure !== 'StoreUnavailable'
    await end(
      {
        result: isDone ? 'DONE' : 'FAILED',
        ...(!isDone && { message: result.message }),
        ...changes,
      },
      changedNothing,
    )
  } catch (error) {
    // The record of its beginning says that it may have happened. Data that only this answer has, such as a new
    // secret, must not be lost.
    noteUnrecorded(context, name)
    const { requestId } = context
    const about = { action, requestId, done: isDone, ...describeError(error) }
    context.services.log.error('the result of an act is not in the audit log', about)
  }
  return isDone ? result.done : result
}

/** The failures of which a client makes as many as it likes. */
const misses: ReadonlySet<ActFailure['failure']> = new Set(['NotFound', 'Invalid'])

/** The failure of an act of one who has tried too many: each would leave a record. */
function denyIfTooManyActs({ principal, services }: AdminContext): ActFailure | undefined {
  const wait = services.actRates.take(principal)
  if (wait === 0) return undefined
  return conflict(`Too many acts: try again in ${Math.ceil(wait / 1_000)} s. Nothing was changed.`)
}

/** A store that does not answer in time may have written what it was asked to write. */
const maybeDone = 'The store does not answer. The change may have been made or not.'

/** In characters, of an audit record. */
const longestReason = 500

function reasonIn(input: object): string | undefined {
  const { reason } = input as { readonly reason?: unknown }
  return typeof reason === 'string' ? reason.slice(0, longestReason) : undefined
}

const blankReason = Promise.resolve(
  invalid([
    { path: 'input.reason', message: 'is blank', fix: 'say why, for those who read the audit log' },
  ]),
)

/** A defect's own message may contain anything. Errors with a code are made for clients. */
function messageOf(error: unknown): string {
  if (error instanceof GraphQLError && error.extensions['code'] === 'BAD_USER_INPUT')
    return error.message
  return 'It failed with a defect; the change may have been made.'
}

function failureOf(error: unknown, unavailable?: string): ActFailure {
  if (error instanceof StoreUnavailable) return storeUnavailable(unavailable)
  if (GatewayError.isInstance(error)) return { failure: 'Conflict', message: error.message }
  throw error
}
