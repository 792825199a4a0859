import { GatewayError } from '../../src/contract/errors.ts'
import type { Reference, ResolvedModel } from '../../src/contract/call.ts'
import type { Binding } from '../../src/stores/bindings.ts'

/** The errors of a call that refers to something made before, by how it refers to it. */
export interface ReferenceErrors {
  /** Never made, another key's, or too old: all look the same. */
  notFound(): GatewayError
  /** The account that has it cannot serve the call. Never another one instead. */
  unavailable(reason: string): GatewayError
  /** Nobody can tell just now. */
  cannotTell(cause: unknown): GatewayError
}

/** What a client waits before it asks again, where the store did not answer. Milliseconds. */
const soon = { 'retry-after-ms': '250' }

/** SDKs try a 503 twice more by themselves: useful for a look-up, useless for a missing account. */
export function errorsOf(reference: Reference): ReferenceErrors {
  return reference.use === 'chain' ? chainErrors(reference) : ownErrors(reference)
}

function chainErrors(reference: Reference): ReferenceErrors {
  const id = shown(reference)
  const param = 'previous_response_id'
  return {
    notFound: () =>
      new GatewayError(
        'previous_response_not_found',
        `Previous response with id '${id}' not found.`,
        {
          param,
        },
      ),
    unavailable: (reason) =>
      new GatewayError(
        'previous_response_account_unavailable',
        `The account that produced the previous response cannot be used: ${reason}.`,
        { param },
      ),
    cannotTell: (cause) =>
      new GatewayError(
        'previous_response_lookup_unavailable',
        'The previous response cannot be looked up at the moment.',
        { param, headers: soon, cause },
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
    cannotTell: (cause) =>
      new GatewayError('lookup_unavailable', `The ${kind} cannot be looked up at the moment.`, {
        headers: soon,
        cause,
      }),
  }
}

/** The account that has it does not have the model, whether or not it can be reached. */
export function otherModel(
  reference: Reference,
  { account }: Pick<Binding, 'account'>,
  model: ResolvedModel,
): GatewayError {
  const { kind } = reference
  return new GatewayError(
    'conversation_model_mismatch',
    `The ${kind} '${shown(reference)}' is kept by the account \`${account}\`, which does not serve ` +
      `the model \`${model.requested}\`: use a model of that account, or tell the ${kind} in \`input\`.`,
    { param: kind },
  )
}

/** Longer ids are nobody's, and would only fill answers. Characters. */
const longestShown = 1_000

function shown({ id }: Reference): string {
  return id.length > longestShown ? `${id.slice(0, longestShown)}...` : id
}
