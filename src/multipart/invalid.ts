import { GatewayError } from '../errors.ts'

/** A form that cannot be read, or that others could read in another way. */
export function invalidForm(message: string): GatewayError {
  return new GatewayError('invalid_form', message)
}

/** Readers that take half of CRLF for the end of a line would read another form. */
export function linesEndOtherwise(): GatewayError {
  return invalidForm('The lines of the form must end with CRLF.')
}
