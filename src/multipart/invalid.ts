import { GatewayError } from '../errors.ts'

/** A form that cannot be read, or that others could read in another way. */
export function invalidForm(message: string): GatewayError {
  return new GatewayError('invalid_form', message)
}
