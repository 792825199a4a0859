import { GatewayError } from '../contract/errors.ts'

/**
 * The error in place of a definite no while the store of the gateway does not answer, so that it may have
 * accounts and aliases that this process does not know. `question`: `the model exists`.
 */
export function cannotTell(question: string): GatewayError {
  const message = `Whether ${question} cannot be found out at the moment: the store of the gateway does not answer.`
  return new GatewayError('lookup_unavailable', message, {
    param: 'model',
    headers: { 'retry-after': '1' },
  })
}
