import { GatewayError } from '../../src/contract/errors.ts'
import type { Reference, ResolvedModel } from '../../src/contract/call.ts'
import type { Binding } from '../../src/stores/bindings.ts'

/** The errors of a call that refers to an earlier resource. */
interface ReferenceErrors {
  /**
   * The resource does not exist, belongs to another key, or has expired. With `exists`, the key has the response, but no
   * request can continue it.
   */
  notFound(exists?: boolean): GatewayError
  /** The account of the resource cannot serve the call; no other account may. */
  unavailable(reason: string): GatewayError
  /** The store is unavailable. */
  lookupFailed(cause: unknown): GatewayError
}

/** Asks clients to retry a failed look-up after 250 ms. */
const retrySoon = { 'retry-after-ms': '250' }

/** The contract has no code of its own for this case. */
const whyNotContinued =
  'It exists, but a request can continue only a response that has ended as `completed` and whose whole conversation ' +
  'this service has: send its output and the messages before it in `input`, or retrieve it until it is completed if ' +
  'it runs in the background.'

/**
 * The errors for a reference. SDKs retry a 503 by themselves, which helps if a look-up failed, but not
 * if an account is unavailable.
 */
export function errorsOf(reference: Reference): ReferenceErrors {
  return reference.use === 'chain' ? chainErrors(reference) : ownErrors(reference)
}

function chainErrors(reference: Reference): ReferenceErrors {
  const id = shown(reference)
  const param = 'previous_response_id'
  const missing = `Previous response with id '${id}' not found.`
  return {
    notFound(exists = false) {
      const message = exists ? `${missing} ${whyNotContinued}` : missing
      return new GatewayError('previous_response_not_found', message, { param })
    },
    unavailable: (reason) =>
      new GatewayError(
        'previous_response_account_unavailable',
        `The account that produced the previous response cannot be used: ${reason}.`,
        { param },
      ),
    lookupFailed: (cause) =>
      new GatewayError(
        'previous_response_lookup_unavailable',
        'The previous response cannot be looked up at the moment.',
        { param, headers: retrySoon, cause },
      ),
  }
}

function ownErrors(reference: Reference): ReferenceErrors {
  const { kind } = reference
  const id = shown(reference)
  const name = `${kind.charAt(0).toUpperCase()}${kind.slice(1)}`
  return {
    notFound: () => new GatewayError('not_found', `${name} with id '${id}' not found.`),
    unavailable: (reason) =>
      new GatewayError(
        'owner_unavailable',
        `The account that has this ${kind} cannot be used: ${reason}.`,
      ),
    lookupFailed: (cause) =>
      new GatewayError('lookup_unavailable', `The ${kind} cannot be looked up at the moment.`, {
        headers: retrySoon,
        cause,
      }),
  }
}

/** The error of a call that refers to resources or data of several accounts. */
export function differentAccounts(): GatewayError {
  return new GatewayError(
    'invalid_value',
    'The request refers to resources that belong to different accounts.',
  )
}

/** The error of a call with a model that the account of the resource does not serve. */
export function modelMismatch(
  reference: Reference,
  { account }: Pick<Binding, 'account'>,
  model: ResolvedModel,
): GatewayError {
  const { kind } = reference
  return new GatewayError(
    'conversation_model_mismatch',
    `The ${kind} '${shown(reference)}' belongs to the account \`${account}\`, which does not serve ` +
      `the model \`${model.requested}\`: use a model of that account, or send the messages of the ${kind} in \`input\`.`,
    { param: kind },
  )
}

/** Longer ids are never valid; error messages show only their beginning. Characters. */
const maxShownLength = 1_000

function shown({ id }: Reference): string {
  return id.length > maxShownLength ? `${id.slice(0, maxShownLength)}...` : id
}
