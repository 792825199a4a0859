import { GatewayError } from '../errors.ts'

/** What an account cannot be asked for, and nobody should leave out: another one may take it. */
export function refused(message: string, field?: string): GatewayError {
  return new GatewayError('invalid_value', message, field === undefined ? {} : { param: field })
}
